import type { Db } from '#server/database/connect.ts';
import { jobLimits } from '#server/process/limits.ts';
import { smsLimits } from '#server/process/sms-limits.ts';
import type { SmsMessage, SmsOutcome } from './gateway.ts';
import { judgeGateways } from './judge-gateways.ts';
import { findQueuedSms, noteAttempt } from './outcome-store.ts';
import type { SmsRoute } from './sms-route.ts';

export interface SendingTools {
  db: Db;
  sms: SmsRoute;
  /** Does what may be done twice, however often the database is away meanwhile. */
  outlast<Result>(work: () => Promise<Result>): Promise<Result>;
  log: { error(details: object, message: string): void };
  /** Hears what each gateway that was tried made of it. */
  onOutcome?: ((gateway: string, outcome: SmsOutcome['kind']) => void) | undefined;
}

/** What a gateway made of a message; `cause` is what it threw, which none should. */
interface Try {
  gateway: string;
  outcome: SmsOutcome;
  cause?: unknown;
}

/**
 * Sends a queued message through the first gateway that takes it. The next one is tried at once where a gateway surely did not
 * take it, and never where that is in doubt: then this throws, so that the job runs again, first asks who can tell, and comes
 * to those in doubt last. After the last attempt, or when every gateway refuses, the message is failed. A process that dies,
 * or is cut off from the database until others take it for dead, between sending and noting it, sends once more; an outage of
 * the database alone only delays the note. The body is wiped in every end; `expireSms` does that where the job died.
 */
export async function sendSms(tools: SendingTools, { id, attempt }: { id: number; attempt: number }): Promise<void> {
  const { db, sms, outlast, log } = tools;
  const queued = await outlast(() => findQueuedSms(db, id));
  if (!queued?.body) return;
  const { doubtful } = queued;
  const kept = { id, attempts: attempt, provider: null, doubtful, gatewayId: null, failure: null };
  if (queued.isDelivered) return void (await outlast(() => noteAttempt(db, { ...kept, status: 'sent' }, [])));
  if (queued.expired)
    return void (await outlast(() => noteAttempt(db, { ...kept, attempts: attempt - 1, status: 'expired' }, [])));

  const message = { to: queued.recipient, text: queued.body, reference: queued.reference };
  const found = attempt > 1 ? await lookUp(sms, message) : undefined;
  const tries = found ? [found] : await tryInTurn(tools, message, doubtful);

  const last = tries.at(-1);
  const sent = last?.outcome.kind === 'sent' ? last.outcome : undefined;
  const isHopeless = tries.every(({ outcome }) => outcome.kind === 'refused');
  const status = sent ? 'sent' : isHopeless || attempt >= jobLimits.smsAttempts ? 'failed' : 'queued';
  const failure = sent ? null : wordsOf(tries);
  const end = {
    id,
    status,
    attempts: attempt,
    provider: last?.gateway ?? null,
    doubtful: last?.outcome.kind === 'unknown' ? [...new Set([...doubtful, last.gateway])] : doubtful,
    gatewayId: sent?.gatewayId ?? null,
    failure,
  } as const;
  const notes = found
    ? []
    : tries.map(({ gateway, outcome }) => ({
        name: gateway,
        failure: outcome.kind === 'sent' ? null : outcome.failure,
      }));
  const counts = await outlast(() => noteAttempt(db, end, notes));
  if (counts.some(({ before, after }) => Math.max(before, after) >= smsLimits.failuresBeforeAlarm))
    await outlast(() => judgeGateways(db, sms));
  const cause = tries.find((each) => each.cause !== undefined)?.cause;
  if (status === 'queued') throw new Error(`SMS not sent yet: ${failure}`, { cause });
  if (status === 'failed')
    log.error({ sms: id, attempts: attempt, failure, ...(cause !== undefined && { err: cause }) }, 'SMS given up');
}

/** Asks the gateways that can tell whether they have a message, and answers the one that took it. */
async function lookUp(sms: SmsRoute, { to, reference }: SmsMessage): Promise<Try | undefined> {
  for (const gateway of sms.order(to)) {
    const outcome = await gateway.find?.(reference).catch(() => undefined);
    if (outcome?.kind === 'sent') return { gateway: gateway.name, outcome };
  }
  return undefined;
}

async function tryInTurn(
  { sms, onOutcome }: SendingTools,
  message: SmsMessage,
  doubtful: readonly string[],
): Promise<Try[]> {
  const tries: Try[] = [];
  for (const gateway of sms.order(message.to, doubtful)) {
    const made: Try = await gateway.send(message).then(
      (outcome) => ({ gateway: gateway.name, outcome }),
      (cause: unknown) => ({
        gateway: gateway.name,
        outcome: { kind: 'unknown', failure: 'erreur interne' },
        cause,
      }),
    );
    sms.note(gateway.name, made.outcome.kind);
    onOutcome?.(gateway.name, made.outcome.kind);
    tries.push(made);
    if (made.outcome.kind === 'sent' || made.outcome.kind === 'unknown') break;
  }
  return tries;
}

/** 'orange : refus 401 ; infobip : injoignable'. */
function wordsOf(tries: readonly Try[]): string {
  const words = tries.map(({ gateway, outcome }) => `${gateway} : ${'failure' in outcome ? outcome.failure : ''}`);
  return (words.join(' ; ') || 'aucune passerelle pour ce pays').slice(0, smsLimits.failureCharacters);
}
