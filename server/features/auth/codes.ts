import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { otpLength, otpLifetimeSeconds } from '#contract/auth.ts';
import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import type { Db } from '#server/database/connect.ts';
import { codeText } from '#server/features/sms/code-text.ts';
import { queueSms } from '#server/features/sms/store.ts';
import type { PasswordDesk } from '#server/features/users/password.ts';
import type { Limits } from '#server/http/rate-limits.ts';
import {
  type Flow,
  findOpenFlow,
  isProvenFlow,
  listFlowIdsWithLiveCode,
  listOpenFlows,
  lockNumber,
  type Purpose,
  saveCode,
  secondsUntilNextCode,
  spendCode,
  takeTry,
} from './store.ts';

/** What the commands of this slice work with. */
export interface AuthTools {
  db: Db;
  limits: Limits;
  passwords: PasswordDesk;
  secret: string;
  /** Where the site is, for the last line of an SMS that lets a browser fill the code in. */
  host: string | undefined;
  /** Whether numbers have cool-downs and daily counts, and failed sign-ins pauses; the tries per code are always counted. */
  limited: boolean;
}

/** Whose code it is: the number, what for, and the flow of the caller's cookie if there is one. */
export interface CodeOwner {
  phone: string;
  purpose: Purpose;
  flowId: string | undefined;
}

function hashCode(secret: string, flow: Flow, code: string): string {
  return createHmac('sha256', secret).update(`${flow.purpose}|${flow.phone}|${flow.id}|${code}`).digest('hex');
}

/**
 * Sends a fresh code for a flow, in the caller's transaction. Answers the seconds until the next one may be asked for.
 * Throws TOO_MANY within a cool-down (60, 120, 300 s) or after 5 codes of a day, and nothing was sent.
 */
export async function sendCode(tools: AuthTools, tx: Db, flow: Flow): Promise<number> {
  await lockNumber(tx, flow.phone, flow.purpose);
  const wait = tools.limited ? await secondsUntilNextCode(tx, flow.phone, flow.purpose) : 0;
  if (wait > 0)
    throw new Failure('TOO_MANY', {
      message: failureSentences.waitForCode(wait),
      retryAfter: wait,
    });
  const code = String(randomInt(0, 10 ** otpLength)).padStart(otpLength, '0');
  await saveCode(tx, flow, hashCode(tools.secret, flow, code));
  await queueSms(tx, {
    to: flow.phone,
    text: codeText(code, flow.purpose, tools.host),
    kind: 'code',
    flowId: flow.id,
    lifetimeSeconds: otpLifetimeSeconds,
  });
  return secondsUntilNextCode(tx, flow.phone, flow.purpose);
}

/** The flow a caller means: their cookie's, else the number's only one today. */
export async function findCallersFlow(db: Db, { phone, purpose, flowId }: CodeOwner): Promise<Flow | undefined> {
  if (flowId) return findOpenFlow(db, flowId, phone, purpose);
  const flows = await listOpenFlows(db, phone, purpose);
  return flows.length === 1 ? flows[0] : undefined;
}

async function findEnteredFlow(db: Db, owner: CodeOwner): Promise<Flow | undefined> {
  const mine = owner.flowId ? await findOpenFlow(db, owner.flowId, owner.phone, owner.purpose) : undefined;
  if (mine || owner.flowId) return mine;
  const open = await listFlowIdsWithLiveCode(db, owner.phone, owner.purpose);
  return open.length === 1 && open[0] ? findOpenFlow(db, open[0], owner.phone, owner.purpose) : undefined;
}

/** Whether the caller's own flow verified the number already: they lost that answer, and may simply sign in. */
export async function isProven(db: Db, { flowId, phone, purpose }: CodeOwner): Promise<boolean> {
  return purpose === 'signup' && flowId !== undefined && isProvenFlow(db, flowId, phone);
}

/**
 * Checks an entered code. Every comparison takes one of the code's three tries and one of the number's ten failures of
 * the day, before it is made. Throws CODE_INVALID or TOO_MANY. The answered `use` must succeed in the caller's
 * transaction before the code counts: it is false for all but one of several callers with the right code.
 */
export async function checkCode(
  tools: AuthTools,
  owner: CodeOwner,
  code: string,
  address: string,
): Promise<{ flow: Flow; use: (tx: Db) => Promise<boolean> }> {
  const { db, limits } = tools;
  await limits.check('codesFailedPerAddress', address);
  const flow = await findEnteredFlow(db, owner);
  const taken = flow && (await takeTry(db, flow.id));
  if (!flow && (await isProven(db, owner))) throw new Failure('ALREADY_VERIFIED');
  if (!flow || !taken) throw new Failure('CODE_INVALID');
  const number = `${owner.purpose}:${owner.phone}`;
  await limits.consume('codesFailedPerPhone', number);
  const right = timingSafeEqual(Buffer.from(taken.hashed), Buffer.from(hashCode(tools.secret, flow, code)));
  if (!right) {
    await limits.consume('codesFailedPerAddress', address);
    throw new Failure('CODE_INVALID');
  }
  await limits.giveBack('codesFailedPerPhone', number);
  return { flow, use: (tx) => spendCode(tx, taken.id) };
}
