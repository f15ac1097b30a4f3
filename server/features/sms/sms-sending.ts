import { countries } from '#contract/phone.ts';
import type { Db } from '#server/database/connect.ts';
import { dialCodeOf } from './caps.ts';
import { smsLimits } from './limits.ts';
import type { SmsMessage, SmsOutcome, SmsRoute } from './sms-route.ts';
import { endSms, findQueuedSms, putOff, recordOutcome, saveGateways } from './store.ts';

export interface SendingTools {
  db: Db;
  sms: SmsRoute;
  log: Record<'error', (details: object, message: string) => void>;
  onOutcome?: ((gateway: string, outcome: SmsOutcome['kind']) => void) | undefined;
}

interface Try {
  gateway: string;
  outcome: SmsOutcome;
}

/** The running job: its id, and the number of its attempt, from 1. */
interface Attempt {
  id: string;
  attempts: number;
}

/**
 * Sends a queued message through the first gateway that accepts it. The next one is tried at once only after a certain refusal. Otherwise
 * it throws, and the queue retries with growing pauses, beginning with the next gateway, until the message is too old. After a missing
 * answer the message may arrive twice. A number that every gateway refuses fails at once.
 */
export async function sendSms(tools: SendingTools, id: number, job: Attempt): Promise<void> {
  const { db, sms, log } = tools;
  const queued = await findQueuedSms(db, id);
  if (!queued) return;
  if (queued.isLate) {
    await endSms(db, id, 'expired');
    return log.error({ sms: id, attempts: job.attempts - 1 }, 'SMS given up: too late');
  }
  const gateways = sms.listFor(dialCodeOf(queued.recipient));
  const first = (job.attempts - 1) % Math.max(1, gateways.length);
  const inTurn = [...gateways.slice(first), ...gateways.slice(0, first)];
  const tries = await tryEach(tools, inTurn, { to: queued.recipient, text: queued.body });
  const last = tries.at(-1)?.outcome;
  const isHopeless = tries.length > 0 && tries.every(({ outcome }) => isOfMessage(outcome));
  if (last?.kind === 'sent') await endSms(db, id, 'sent');
  else if (isHopeless) await endSms(db, id, 'failed');
  // Recorded before a pause, so that the gateways' state is current meanwhile.
  await recordTries(tools, tries);
  if (last?.kind === 'sent') return;
  const failure = tries.map(({ gateway, outcome }) => `${gateway} : ${'failure' in outcome ? outcome.failure : ''}`);
  if (isHopeless) return log.error({ sms: id, attempts: job.attempts, failure }, 'SMS given up');
  // A gateway's Retry-After counts only if there is no other gateway.
  const seconds = gateways.length === 1 && last ? (last.retryAfterSeconds ?? 0) : 0;
  // Throttled messages with equal pauses would be throttled together again, so they are spread.
  const spreadSeconds = last?.isThrottled ? smsLimits.throttledSpreadSeconds : 0;
  if (seconds + spreadSeconds > 0) await putOff(db, job.id, { seconds, spreadSeconds });
  throw new Error(`SMS ${id} not sent yet: ${failure.join(' ; ') || 'no gateway for its country'}`);
}

async function tryEach(
  { onOutcome, log }: SendingTools,
  gateways: SmsRoute['gateways'],
  message: SmsMessage,
): Promise<Try[]> {
  const tries: Try[] = [];
  for (const gateway of gateways) {
    const outcome = await gateway.send(message).catch((cause: unknown): SmsOutcome => {
      log.error({ err: cause, gateway: gateway.name }, 'an SMS gateway threw');
      return { kind: 'unknown', failure: 'erreur interne' };
    });
    onOutcome?.(gateway.name, outcome.kind);
    tries.push({ gateway: gateway.name, outcome });
    if (outcome.kind === 'sent' || outcome.kind === 'unknown') break;
  }
  return tries;
}

/** Whether the message itself was refused, and would be again, rather than the account. */
const isOfMessage = (outcome: SmsOutcome) => outcome.kind === 'refused' && outcome.about !== 'account';

/** Records the gateways' outcomes, except refused numbers, which say nothing about a gateway. */
async function recordTries({ db }: SendingTools, tries: readonly Try[]): Promise<void> {
  for (const { gateway, outcome } of tries) {
    const failure = outcome.kind === 'sent' ? undefined : outcome.failure;
    if (outcome.kind === 'refused' && outcome.about === 'number') continue;
    await recordOutcome(db, gateway, failure);
  }
}

/** Records this process's gateways. */
export async function registerGateways(db: Db, sms: SmsRoute): Promise<void> {
  const codes = countries.map(({ code }) => code.slice(1));
  const carries = (name: string) => codes.filter((code) => sms.listFor(code).some((each) => each.name === name));
  const names = sms.gateways.map(({ name }) => name);
  await saveGateways(
    db,
    names.map((name) => ({ name, dialCodes: carries(name) })),
  );
}
