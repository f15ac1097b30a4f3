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
import type { KnownBrowser } from './cookies.ts';
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

/** The origin of a request for a code, or of an entered one. */
export interface RequestOrigin {
  /** Key of the caller's address. */
  address: string;
  /** The browser, if it signed in to any account before. */
  knownBrowser: KnownBrowser | undefined;
}

/** Throws TOO_MANY if too many codes of the address or its network were never entered. */
export async function requireSource(
  { db, secret }: Pick<AuthTools, 'db' | 'secret'>,
  { address }: Pick<RequestOrigin, 'address'>,
): Promise<void> {
  const source = sourceOf(secret, address);
  const wait = source ? await secondsUntilSourceMayAsk(db, source) : 0;
  if (wait > 0) throw new Failure('TOO_MANY', { message: failureSentences.waitForEntered(wait), retryAfter: wait });
}

/**
 * Checks early, outside of a transaction, that a code may be sent; `sendCode` checks exactly. Throws SMS_PAUSED while the country's cap
 * is full, and TOO_MANY after unentered codes of this address or network.
 */
export async function requireSending(
  tools: AuthTools,
  { phone, isKnownBrowser }: Pick<Flow, 'phone' | 'isKnownBrowser'>,
  origin: RequestOrigin,
): Promise<void> {
  if (!tools.limited) return;
  const wait = await secondsUntilCodesGo(tools.db, phone, isKnownBrowser);
  if (wait > 0) throw new Failure('SMS_PAUSED', { message: failureSentences.smsPaused(wait), retryAfter: wait });
  await requireSource(tools, origin);
}

export interface AuthTools {
  db: Db;
  limits: Limits;
  passwords: PasswordHasher;
  secret: string;
  /** The site's host, for the line of an SMS that lets a browser fill the code in. */
  host: string | undefined;
  /** Whether the limits on codes, messages and sign-ins apply. The tries per code are always limited. */
  limited: boolean;
}

/** What identifies a code: number, purpose, and the flow of the caller's cookie, if there is one. */
export interface FlowKey {
  phone: string;
  purpose: Purpose;
  flowId: string | undefined;
}

function hashCode(secret: string, flow: Flow, code: string): string {
  return createHmac('sha256', secret).update(`${flow.purpose}|${flow.phone}|${flow.id}|${code}`).digest('hex');
}

/**
 * Sends a new code for a flow, in the caller's transaction, and answers the seconds until the next one. Throws TOO_MANY within a
 * cool-down (60, 120, 300 s), after 5 codes in a day, or after unentered codes of this source; SMS_PAUSED beyond the caps. A second code,
 * after the `first`, has no cool-down and no check of its source. Other senders wait until the transaction ends.
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
    isKnownBrowser: flow.isKnownBrowser,
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

/** The caller's flow: their cookie's, else the number's only one of the last day. */
async function findCallersFlow(db: Db, { phone, purpose, flowId }: FlowKey): Promise<Flow | undefined> {
  if (flowId) return findOwnFlow(db, { flowId }, phone, purpose);
  const flows = await listOpenFlows(db, phone, purpose);
  return flows.length === 1 ? flows[0] : undefined;
}

/** The flow whose code a caller enters: their cookie's, else the number's only flow with a live code, unless that is a second code. */
async function findEnteredFlow(db: Db, { phone, purpose, flowId }: FlowKey): Promise<Flow | undefined> {
  if (flowId) return findOwnFlow(db, { flowId }, phone, purpose);
  const [only, ...others] = await listFlowsWithLiveCode(db, phone, purpose);
  return only && others.length === 0 && !only.isSecond ? only.flow : undefined;
}

/** Whether the caller's own flow has verified the number: the answer was lost, and the person can sign in. */
async function isProven(db: Db, { flowId, phone, purpose }: FlowKey): Promise<boolean> {
  return purpose === 'signup' && flowId !== undefined && isProvenFlow(db, flowId, phone);
}

/**
 * Checks an entered code. Before each comparison it takes one of the code's three tries and one of the number's ten daily failures.
 * Browsers without the flow's cookie have the same counts of their own. Throws CODE_INVALID, TOO_MANY, or SECOND_CODE after too many
 * recent wrong codes, once another code is sent. The answered `use` must succeed in the caller's transaction before the code counts. Of
 * several callers with the right code, it succeeds for one.
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
  const isOtherBrowser = entered.flowId === undefined;
  const taken = await takeTry(db, flow.id, { isOtherBrowser });
  if (!taken) throw new Failure('CODE_INVALID');
  const isKnownBrowser = flow.isKnownBrowser && !isOtherBrowser;
  const number = `${isOtherBrowser ? 'other:' : isKnownBrowser ? 'known:' : ''}${entered.purpose}:${entered.phone}`;
  await limits.consume('codesFailedPerPhone', number);
  if (!isSame(taken.hashed, hashCode(secret, flow, code))) {
    await limits.consume('codesFailedPerAddress', origin.address);
    throw new Failure('CODE_INVALID');
  }
  await limits.giveBack('codesFailedPerPhone', number);
  if (limited && !taken.isSecond && !(await codeSuffices(db, { ...entered, isKnownBrowser })))
    await sendSecondCode(tools, flow, { id: taken.id, code }, origin);
  return {
    flow,
    async use(tx) {
      const spent = await spendCode(tx, taken.id);
      if (!spent) return false;
      await recordConversion(tx, flow.id);
      await proveFlow(tx, flow.id, { isOtherBrowser });
      return true;
    },
  };
}

/** Spends the right code, sends the second one, and throws SECOND_CODE; TOO_MANY or SMS_PAUSED if none may be sent. */
async function sendSecondCode(
  tools: AuthTools,
  flow: Flow,
  { id, code }: { id: number; code: string },
  origin: RequestOrigin,
): Promise<never> {
  const retryAfter = await tools.db.transaction(async (tx) => {
    // Locks in the order of a resend: the reverse order could deadlock.
    await lockNumber(tx, flow.phone, flow.purpose);
    if (!(await spendCode(tx, id))) throw new Failure('CODE_INVALID');
    await recordConversion(tx, flow.id);
    return sendCode(tools, tx, flow, { origin, first: code });
  });
  throw new Failure('SECOND_CODE', { retryAfter });
}

/**
 * Sends another code of the caller's flow, and answers the seconds until the next one. Throws TOO_MANY, USER_NOT_FOUND if there is no
 * flow, ALREADY_VERIFIED if the flow is proven, and SMS_PAUSED.
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
