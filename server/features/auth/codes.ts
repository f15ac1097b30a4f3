import { createHmac, randomInt } from 'node:crypto';
import { otpLength, otpLifetimeSeconds } from '#contract/auth.ts';
import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import type { Db } from '#server/database/connect.ts';
import {
  lockSource,
  recordConversion,
  secondsLeftOfDay,
  secondsUntilCodesGo,
  secondsUntilSourceMayAsk,
  sourceOf,
} from '#server/features/sms/code-limits.ts';
import { queueSms } from '#server/features/sms/store.ts';
import type { PasswordHasher } from '#server/features/users/password.ts';
import type { Limits } from '#server/http/rate-limits.ts';
import { isSame } from '#server/process/secret-file.ts';
import type { Device } from './cookies.ts';
import { codeSuffices } from './second-code.ts';
import {
  type Flow,
  findOwnFlow,
  isProvenFlow,
  listFlowsWithLiveCode,
  listOpenFlows,
  lockNumber,
  type Purpose,
  proveFlow,
  saveCode,
  secondsUntilNextCode,
  spendCode,
  takeTry,
} from './store.ts';

/** The SMS of a code: one message in GSM-7. Its last line lets a browser of the site `host` fill it in (WebOTP). */
export function codeText(code: string, purpose: 'signup' | 'reset', host: string | undefined): string {
  const aim = purpose === 'signup' ? 'de vérification' : 'de réinitialisation';
  const text = `Guichet : votre code ${aim} est ${code}. Il expire dans 5 minutes. Ne le donnez à personne.`;
  const filled = `${text}\n\n@${host} #${code}`;
  return host && filled.length <= 160 ? filled : text;
}

/** Who asks for a code, or enters one. */
export interface RequestOrigin {
  /** Key of the caller's address. */
  address: string;
  /** The browser, where it signed in before, to whichever account. */
  device: Device | undefined;
}

/** Throws TOO_MANY where too many codes of an address or its network were never entered. */
export async function requireSource(
  { db, secret }: Pick<AuthTools, 'db' | 'secret'>,
  { address }: Pick<RequestOrigin, 'address'>,
): Promise<void> {
  const source = sourceOf(secret, address);
  const wait = source ? await secondsUntilSourceMayAsk(db, source) : 0;
  if (wait > 0) throw new Failure('TOO_MANY', { message: failureSentences.waitForEntered(wait), retryAfter: wait });
}

/**
 * Refuses a code early that could not be sent, outside of a transaction; `sendCode` checks it exactly. Throws SMS_PAUSED while
 * the country's cap is full, and TOO_MANY after unentered codes of this address or network.
 */
export async function requireSending(
  tools: AuthTools,
  { phone, browserKnown }: Pick<Flow, 'phone' | 'browserKnown'>,
  origin: RequestOrigin,
): Promise<void> {
  if (!tools.limited) return;
  const wait = await secondsUntilCodesGo(tools.db, phone, browserKnown);
  if (wait > 0) throw new Failure('SMS_PAUSED', { message: failureSentences.smsPaused(wait), retryAfter: wait });
  await requireSource(tools, origin);
}

export interface AuthTools {
  db: Db;
  limits: Limits;
  passwords: PasswordHasher;
  secret: string;
  /** Where the site is, for the last line of an SMS that lets a browser fill the code in. */
  host: string | undefined;
  /** Whether the limits of codes, messages and sign-ins hold; the tries per code are always counted. */
  limited: boolean;
}

/** Whose code it is: the number, what for, and the flow of the caller's cookie if there is one. */
export interface FlowKey {
  phone: string;
  purpose: Purpose;
  flowId: string | undefined;
}

function hashCode(secret: string, flow: Flow, code: string): string {
  return createHmac('sha256', secret).update(`${flow.purpose}|${flow.phone}|${flow.id}|${code}`).digest('hex');
}

/**
 * Sends a fresh code for a flow, in the caller's transaction, and answers the seconds until the next may be asked for.
 * Throws TOO_MANY within a cool-down (60, 120, 300 s), after 5 codes of a day, or after unentered codes of this source;
 * SMS_PAUSED beyond the caps. A second code, after the `first`, has no cool-down or source. Other senders wait until the
 * transaction ends.
 */
export async function sendCode(
  tools: AuthTools,
  tx: Db,
  flow: Flow,
  { origin, first }: { origin: RequestOrigin; first?: string },
): Promise<number> {
  const { limited, secret } = tools;
  const { phone, purpose } = flow;
  const isSecond = first !== undefined;
  await lockNumber(tx, phone, purpose);
  const wait = limited ? await secondsUntilNextCode(tx, phone, purpose, { isSecond }) : 0;
  if (wait > 0) throw new Failure('TOO_MANY', { message: failureSentences.waitForCode(wait), retryAfter: wait });
  const source = sourceOf(secret, origin.address);
  if (limited && !isSecond && source) {
    await lockSource(tx, source);
    await requireSource({ db: tx, secret }, origin);
  }
  const code = drawCode(first);
  await saveCode(tx, flow, { hashed: hashCode(secret, flow, code), isSecond });
  const next = await secondsUntilNextCode(tx, phone, purpose);
  const message = {
    to: phone,
    text: codeText(code, purpose, tools.host),
    kind: 'code' as const,
    flowId: flow.id,
    isTrusted: flow.browserKnown,
    source,
    lifetimeSeconds: otpLifetimeSeconds,
  };
  if (!(await queueSms(tx, message, { limited }))) {
    const retryAfter = secondsLeftOfDay();
    throw new Failure('SMS_PAUSED', { message: failureSentences.smsPaused(retryAfter), retryAfter });
  }
  return next;
}

function drawCode(other: string | undefined): string {
  const code = String(randomInt(0, 10 ** otpLength)).padStart(otpLength, '0');
  return code === other ? drawCode(other) : code;
}

/** The flow a caller means: their cookie's, else the number's only one today. */
async function findCallersFlow(db: Db, { phone, purpose, flowId }: FlowKey): Promise<Flow | undefined> {
  if (flowId) return findOwnFlow(db, { flowId }, phone, purpose);
  const flows = await listOpenFlows(db, phone, purpose);
  return flows.length === 1 ? flows[0] : undefined;
}

/** The flow whose code a caller enters: their cookie's, else the number's only one with a code, which is no second one. */
async function findEnteredFlow(db: Db, { phone, purpose, flowId }: FlowKey): Promise<Flow | undefined> {
  if (flowId) return findOwnFlow(db, { flowId }, phone, purpose);
  const [only, ...others] = await listFlowsWithLiveCode(db, phone, purpose);
  return only && others.length === 0 && !only.isSecond ? only.flow : undefined;
}

/** Whether the caller's own flow verified the number already: they lost that answer, and may simply sign in. */
async function isProven(db: Db, { flowId, phone, purpose }: FlowKey): Promise<boolean> {
  return purpose === 'signup' && flowId !== undefined && isProvenFlow(db, flowId, phone);
}

/**
 * Checks an entered code. Every comparison takes one of the code's three tries and one of the number's ten failures of the
 * day first; callers without the flow's cookie have as many of their own. Throws CODE_INVALID, TOO_MANY, or SECOND_CODE
 * where too many were wrong of late: then another was sent. The answered `use` must succeed in the caller's transaction
 * before the code counts: it is false for all but one of several callers with the right code.
 */
export async function checkCode(
  tools: AuthTools,
  entered: FlowKey,
  code: string,
  origin: RequestOrigin,
): Promise<{ flow: Flow; use: (tx: Db) => Promise<boolean> }> {
  const { db, limits, limited, secret } = tools;
  await limits.check('codesFailedPerAddress', origin.address);
  const flow = await findEnteredFlow(db, entered);
  if (!flow && (await isProven(db, entered))) throw new Failure('ALREADY_VERIFIED');
  if (!flow) throw new Failure('CODE_INVALID');
  const hasNoFlowCookie = entered.flowId === undefined;
  const taken = await takeTry(db, flow.id, { hasNoFlowCookie });
  if (!taken) throw new Failure('CODE_INVALID');
  const browserKnown = flow.browserKnown && !hasNoFlowCookie;
  const number = `${hasNoFlowCookie ? 'stranger:' : browserKnown ? 'known:' : ''}${entered.purpose}:${entered.phone}`;
  await limits.consume('codesFailedPerPhone', number);
  if (!isSame(taken.hashed, hashCode(secret, flow, code))) {
    await limits.consume('codesFailedPerAddress', origin.address);
    throw new Failure('CODE_INVALID');
  }
  await limits.giveBack('codesFailedPerPhone', number);
  if (limited && !taken.isSecond && !(await codeSuffices(db, { ...entered, browserKnown })))
    await sendSecondCode(tools, flow, { id: taken.id, code }, origin);
  return {
    flow,
    async use(tx) {
      const spent = await spendCode(tx, taken.id);
      if (!spent) return false;
      await recordConversion(tx, flow.id);
      await proveFlow(tx, flow.id, { hasNoFlowCookie });
      return true;
    },
  };
}

/** Spends the right code, sends the second one, and throws SECOND_CODE; TOO_MANY or SMS_PAUSED where none may be sent. */
async function sendSecondCode(
  tools: AuthTools,
  flow: Flow,
  { id, code }: { id: number; code: string },
  origin: RequestOrigin,
): Promise<never> {
  const retryAfter = await tools.db.transaction(async (tx) => {
    // First, in the order of a resend: the reverse order could deadlock.
    await lockNumber(tx, flow.phone, flow.purpose);
    if (!(await spendCode(tx, id))) throw new Failure('CODE_INVALID');
    await recordConversion(tx, flow.id);
    return sendCode(tools, tx, flow, { origin, first: code });
  });
  throw new Failure('SECOND_CODE', { retryAfter });
}

/**
 * Sends another code of the caller's flow, and answers the seconds until the next may be asked for. Throws TOO_MANY,
 * USER_NOT_FOUND when there is nothing to resend, ALREADY_VERIFIED when the flow is proven, and SMS_PAUSED.
 */
export async function resendCode(
  tools: AuthTools,
  wanted: FlowKey,
  origin: RequestOrigin,
): Promise<{ flow: Flow; retryAfter: number }> {
  const open = await findCallersFlow(tools.db, wanted);
  if (open) await requireSending(tools, open, origin);
  return tools.db.transaction(async (tx) => {
    const flow = await findCallersFlow(tx, wanted);
    if (!flow && (await isProven(tx, wanted))) throw new Failure('ALREADY_VERIFIED');
    if (!flow) throw new Failure('USER_NOT_FOUND', { message: failureSentences.nothingToResend });
    return { flow, retryAfter: await sendCode(tools, tx, flow, { origin }) };
  });
}
