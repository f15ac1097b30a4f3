import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '#server/database/connect.ts';
import { smsLimits } from '#server/process/sending-limits.ts';
import {
  findQueuedSms,
  type GatewayRecord,
  type QueuedSms,
  recordAttempt,
  type Turn,
  takeTurn,
  wakeWaiting,
} from './sending-store.ts';
import type { SmsMessage, SmsOutcome, SmsRoute } from './sms-route.ts';

export interface SendingTools {
  db: Db;
  sms: SmsRoute;
  /** Does what may be done twice, however often the database is away meanwhile. */
  outlast<Result>(work: () => Promise<Result>): Promise<Result>;
  log: Record<'error' | 'warn', (details: object, message: string) => void>;
  onOutcome?: ((gateway: string, outcome: SmsOutcome['kind']) => void) | undefined;
}

/** What a gateway made of a message; `cause` is what it threw, which none should. */
interface Try {
  gateway: string;
  outcome: SmsOutcome;
  cause?: unknown;
}

/** Gateways that were tried, and those that take none for now. */
interface Round {
  tries: Try[];
  waits: { gateway: string; state: Turn['state']; seconds: number }[];
}

/**
 * Sends a queued message through the first gateway that takes it; the next one is tried at once only where it was surely
 * not taken. What no gateway took is retried until it expires, and fails only if all refuse the message itself. A gateway
 * that may have it, for instance after a crash, is asked first, and comes last if it cannot answer: the message may arrive
 * twice. The body is wiped in every end.
 */
export async function sendSms(tools: SendingTools, { id, job }: { id: number; job: string }): Promise<void> {
  const { db, sms, outlast, log } = tools;
  const [[queued]] = await outlast(() => db.ask(findQueuedSms(id, job)));
  if (!queued?.body) return;
  const { doubtful, attempts } = queued;
  const kept = { id, job, attempts, provider: null, doubtful, gatewayId: null, failure: null, waitSeconds: 0 };
  if (queued.isDelivered) return void (await outlast(() => recordAttempt(db, { ...kept, status: 'sent' }, [])));
  if (queued.expired) {
    await outlast(() => recordAttempt(db, { ...kept, status: 'expired' }, []));
    return log.error({ sms: id, attempts, failure: queued.failure }, 'SMS given up: too late');
  }

  const message = { to: queued.recipient, text: queued.body, reference: queued.reference };
  const found = await lookUp(sms, message, queued);
  const round = found ? { tries: [found], waits: [] } : await tryInTurn(tools, { id, job }, message, doubtful);
  // It ended meanwhile: what it says is noted as any end is.
  if (!round) return sendSms(tools, { id, job });

  const { tries, waits } = round;
  const last = tries.at(-1);
  const sent = last?.outcome.kind === 'sent' ? last.outcome : undefined;
  const isHopeless = waits.length === 0 && tries.every(({ outcome }) => isOfMessage(outcome));
  const status = sent ? 'sent' : isHopeless ? 'failed' : 'queued';
  const tried = attempts + (tries.length > 0 ? 1 : 0);
  const failure = sent ? null : wordsOf(round);
  const waitSeconds = status === 'queued' ? secondsToWait(round, tried) : 0;
  const end = {
    ...kept,
    status,
    attempts: tried,
    provider: last?.gateway ?? null,
    doubtful: last?.outcome.kind === 'unknown' ? [...new Set([...doubtful, last.gateway])] : doubtful,
    gatewayId: sent?.gatewayId ?? null,
    failure,
    waitSeconds,
  } as const;
  const stands = await outlast(() => recordAttempt(db, end, found ? [] : tries.map(noteOf)));
  if (stands.some(({ isBack }) => isBack)) await outlast(() => db.ask(wakeWaiting()));
  if (status === 'sent' || tries.length === 0) return;
  const cause = tries.find((each) => each.cause !== undefined)?.cause;
  const details = { sms: id, attempts: tried, failure, ...(cause !== undefined && { err: cause }) };
  if (status === 'failed') log.error(details, 'SMS given up');
  else log.warn({ ...details, waitSeconds: Math.round(waitSeconds) }, 'SMS not sent yet');
}

/** Asks the gateways that may have a message, and can tell, and answers the one that took it. */
async function lookUp(
  sms: SmsRoute,
  message: SmsMessage,
  { doubtful, createdAt }: QueuedSms,
): Promise<Try | undefined> {
  for (const gateway of sms.order(message.to))
    if (doubtful.includes(gateway.name)) {
      const outcome = await gateway.find?.(message, createdAt).catch(() => undefined);
      if (outcome?.kind === 'sent') return { gateway: gateway.name, outcome };
    }
  return undefined;
}

/** Undefined where the message has ended meanwhile. */
async function tryInTurn(
  { db, sms, outlast, onOutcome }: SendingTools,
  job: { id: number; job: string },
  message: SmsMessage,
  doubtful: readonly string[],
): Promise<Round | undefined> {
  const round: Round = { tries: [], waits: [] };
  for (const gateway of sms.order(message.to, doubtful)) {
    const { state, seconds, waiting } = await outlast(() => takeTurn(db, job, gateway));
    if (state === 'over') return undefined;
    if (state !== 'taken') {
      // Those that wait for turns share them: none gains by coming back before the others.
      const spread = state === 'busy' ? waiting / (gateway.perSecond ?? smsLimits.spreadPerSecond) : 0;
      round.waits.push({ gateway: gateway.name, state, seconds: seconds + Math.random() * spread });
      continue;
    }
    if (seconds > 0) await pause(seconds * 1_000);
    const made: Try = await gateway.send(message).then(
      (outcome) => ({ gateway: gateway.name, outcome }),
      (cause: unknown) => ({
        gateway: gateway.name,
        outcome: { kind: 'unknown', failure: 'erreur interne' },
        cause,
      }),
    );
    onOutcome?.(gateway.name, made.outcome.kind);
    round.tries.push(made);
    if (made.outcome.kind === 'sent' || made.outcome.kind === 'unknown') break;
  }
  return round;
}

/** It was refused for its own sake, and would be again: the account is not what is wrong. */
function isOfMessage(outcome: SmsOutcome): boolean {
  return outcome.kind === 'refused' && outcome.about !== 'account';
}

/** Until a gateway may be tried again: the next pause where it was tried, or what it asks for, and its turn where it was not. */
function secondsToWait({ tries, waits }: Round, attempts: number): number {
  const pauses = smsLimits.pausesSeconds;
  const next = pauses[Math.min(attempts, pauses.length) - 1] ?? 0;
  const ofTries = tries
    .filter(({ outcome }) => !isOfMessage(outcome))
    .map(({ outcome }) => Math.max(next, ('retryAfterSeconds' in outcome && outcome.retryAfterSeconds) || 0));
  const soonest = Math.min(...ofTries, ...waits.map(({ seconds }) => seconds));
  return soonest * (1 + Math.random() * smsLimits.jitter);
}

function noteOf({ gateway: name, outcome }: Try): GatewayRecord {
  if (outcome.kind === 'sent') return { name, outcome: 'sent', failure: null, retryAfterSeconds: 0 };
  const { kind, about, failure, retryAfterSeconds = 0 } = outcome;
  const told = kind !== 'refused' ? 'silent' : about === 'number' ? 'answered' : 'refused';
  return { name, outcome: told, failure, retryAfterSeconds };
}

/** 'orange : refus 401 ; infobip : injoignable'; null where it only waits for its turn. */
function wordsOf({ tries, waits }: Round): string | null {
  const words = [
    ...tries.map(({ gateway, outcome }) => `${gateway} : ${'failure' in outcome ? outcome.failure : ''}`),
    ...waits
      .filter(({ state }) => state === 'silent')
      .map(({ gateway }) => `${gateway} : ne répond pas pour l'instant`),
  ];
  if (words.length === 0 && waits.length > 0) return null;
  return (words.join(' ; ') || 'aucune passerelle pour ce pays').slice(0, smsLimits.failureCharacters);
}
