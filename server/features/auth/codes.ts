import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { otpLength, otpLifetimeSeconds } from '#contract/auth.ts';
import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import type { Db } from '#server/database/connect.ts';
import { noteConversion, secondsLeftOfDay } from '#server/features/sms/code-pause.ts';
import { codeText } from '#server/features/sms/code-text.ts';
import { queueSms } from '#server/features/sms/store.ts';
import type { PasswordDesk } from '#server/features/users/password.ts';
import type { Limits } from '#server/http/rate-limits.ts';
import { countCodeFailure, forgetCodeFailures, requireUnlocked } from './code-lock.ts';
import { countResetGuess, requireResets } from './reset-guesses.ts';
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
  /**
   * Whether numbers have cool-downs, daily counts and locks, messages their caps and breakers, and failed sign-ins and resets
   * their pauses; the tries per code are always counted.
   */
  limited: boolean;
}

/** Whose code it is: the number, what for, and the flow of the caller's cookie if there is one. */
export interface CodeOwner {
  phone: string;
  purpose: Purpose;
  flowId: string | undefined;
}

/** What shows that a sign-up or a reset is the same browser's again. */
export interface SameBrowser {
  /** The flow of its cookie. */
  flowId: string | undefined;
  /** The key of its form, where the first answer, and the cookie with it, was lost. */
  key: string | undefined;
}

function hashCode(secret: string, flow: Flow, code: string): string {
  return createHmac('sha256', secret).update(`${flow.purpose}|${flow.phone}|${flow.id}|${code}`).digest('hex');
}

/**
 * Sends a fresh code for a flow, in the caller's transaction. Answers the seconds until the next one may be asked for.
 * Throws TOO_MANY within a cool-down (60, 120, 300 s) or after 5 codes of a day, SMS_PAUSED beyond the caps, and nothing
 * was sent. Others who send wait from here on until the transaction ends.
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
  const next = await secondsUntilNextCode(tx, flow.phone, flow.purpose);
  const message = {
    to: flow.phone,
    text: codeText(code, flow.purpose, tools.host),
    kind: 'code' as const,
    flowId: flow.id,
    lifetimeSeconds: otpLifetimeSeconds,
  };
  if (await queueSms(tx, message, { limited: tools.limited })) return next;
  const retryAfter = secondsLeftOfDay();
  throw new Failure('SMS_PAUSED', { message: failureSentences.smsPaused(retryAfter), retryAfter });
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
 * the day, before it is made. Throws CODE_INVALID, TOO_MANY, CODE_LOCKED after 50 wrong ones in a row, or SMS_PAUSED while
 * resets pause. The answered `use` must succeed in the caller's transaction before the code counts: it is false for all but
 * one of several callers with the right code.
 */
export async function checkCode(
  tools: AuthTools,
  owner: CodeOwner,
  code: string,
  address: string,
): Promise<{ flow: Flow; use: (tx: Db) => Promise<boolean> }> {
  const { db, limits } = tools;
  await limits.check('codesFailedPerAddress', address);
  if (tools.limited) await requireUnlocked(db, owner.phone);
  if (tools.limited && owner.purpose === 'reset') await requireResets(db);
  const flow = await findEnteredFlow(db, owner);
  const taken = flow && (await takeTry(db, flow.id));
  if (!flow && (await isProven(db, owner))) throw new Failure('ALREADY_VERIFIED');
  if (!flow || !taken) throw new Failure('CODE_INVALID');
  const number = `${owner.purpose}:${owner.phone}`;
  await limits.consume('codesFailedPerPhone', number);
  if (tools.limited) await countCodeFailure(db, owner.phone);
  const guess = tools.limited && owner.purpose === 'reset' ? await countResetGuess(db) : undefined;
  const right = timingSafeEqual(Buffer.from(taken.hashed), Buffer.from(hashCode(tools.secret, flow, code)));
  if (!right) {
    await limits.consume('codesFailedPerAddress', address);
    throw new Failure('CODE_INVALID');
  }
  await limits.giveBack('codesFailedPerPhone', number);
  await guess?.takeBack();
  await db.ask(forgetCodeFailures(owner.phone));
  return {
    flow,
    async use(tx) {
      const spent = await spendCode(tx, taken.id);
      if (spent) await noteConversion(tx, flow.id);
      return spent;
    },
  };
}
