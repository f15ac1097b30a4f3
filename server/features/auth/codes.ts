import { createHmac, randomInt } from 'node:crypto';
import { otpLength, otpLifetimeSeconds } from '#contract/auth.ts';
import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import type { Db } from '#server/database/connect.ts';
import {
  type CodeSource,
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
import { type Device, isSame } from './cookies.ts';
import { countTry } from './second-code.ts';
import {
  type Flow,
  findFirstCode,
  findOpenFlow,
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
export interface Asker {
  /** Key of the caller's address. */
  address: string;
  /** The browser, where it signed in before, to whichever account. */
  device: Device | undefined;
}

/** Throws TOO_MANY where too many codes of an address or its network were never entered. */
async function requireSource(db: Db, source: CodeSource | undefined, isTrusted: boolean): Promise<void> {
  const wait = source ? await secondsUntilSourceMayAsk(db, source, isTrusted) : 0;
  if (wait > 0) throw new Failure('TOO_MANY', { message: failureSentences.waitForEntered(wait), retryAfter: wait });
}

/**
 * Refuses a code early that could not be sent, outside of a transaction; `sendCode` checks it exactly. Throws SMS_PAUSED while
 * the country's cap is full, and TOO_MANY after unentered codes of this address or network.
 */
export async function requireSending(
  { db, limited, secret }: AuthTools,
  { phone }: Pick<Flow, 'phone' | 'purpose'>,
  asker: Asker,
): Promise<void> {
  if (!limited) return;
  const isTrusted = asker.device !== undefined;
  const wait = await secondsUntilCodesGo(db, phone, isTrusted);
  if (wait > 0) throw new Failure('SMS_PAUSED', { message: failureSentences.smsPaused(wait), retryAfter: wait });
  await requireSource(db, sourceOf(secret, asker.address), isTrusted);
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
 * Sends a fresh code for a flow, in the caller's transaction, and answers the seconds until the next may be asked for.
 * Throws TOO_MANY within a cool-down (60, 120, 300 s), after 5 codes of a day, or after unentered codes of this source;
 * SMS_PAUSED beyond the caps. A second code, after the `first`, has no cool-down or source. Other senders wait until the
 * transaction ends.
 */
export async function sendCode(
  tools: AuthTools,
  tx: Db,
  flow: Flow,
  { asker, first }: { asker: Asker; first?: string },
): Promise<number> {
  const { limited, secret } = tools;
  const { phone, purpose } = flow;
  const isSecond = first !== undefined;
  await lockNumber(tx, phone, purpose);
  const wait = limited ? await secondsUntilNextCode(tx, phone, purpose, { isSecond }) : 0;
  if (wait > 0) throw new Failure('TOO_MANY', { message: failureSentences.waitForCode(wait), retryAfter: wait });
  const source = sourceOf(secret, asker.address);
  const isTrusted = asker.device !== undefined;
  if (limited && !isSecond && source) {
    await lockSource(tx, source);
    await requireSource(tx, source, isTrusted);
  }
  const code = drawCode(first);
  await saveCode(tx, flow, { hashed: hashCode(secret, flow, code), isSecond });
  const next = await secondsUntilNextCode(tx, phone, purpose);
  const message = {
    to: phone,
    text: codeText(code, purpose, tools.host),
    kind: 'code' as const,
    flowId: flow.id,
    isTrusted,
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
async function findCallersFlow(db: Db, { phone, purpose, flowId }: CodeOwner): Promise<Flow | undefined> {
  if (flowId) return findOpenFlow(db, flowId, phone, purpose);
  const flows = await listOpenFlows(db, phone, purpose);
  return flows.length === 1 ? flows[0] : undefined;
}

/** The flow whose code a caller enters: their cookie's, else the number's only one with a code, which is no second one. */
async function findEnteredFlow(db: Db, { phone, purpose, flowId }: CodeOwner): Promise<Flow | undefined> {
  if (flowId) return findOpenFlow(db, flowId, phone, purpose);
  const [only, ...others] = await listFlowsWithLiveCode(db, phone, purpose);
  return only && others.length === 0 && !only.isSecond ? only.flow : undefined;
}

/** Whether the caller's own flow verified the number already: they lost that answer, and may simply sign in. */
async function isProven(db: Db, { flowId, phone, purpose }: CodeOwner): Promise<boolean> {
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
  owner: CodeOwner,
  code: string,
  asker: Asker,
): Promise<{ flow: Flow; use: (tx: Db) => Promise<boolean> }> {
  const { db, limits, limited, secret } = tools;
  await limits.check('codesFailedPerAddress', asker.address);
  const flow = await findEnteredFlow(db, owner);
  if (!flow && (await isProven(db, owner))) throw new Failure('ALREADY_VERIFIED');
  if (!flow) throw new Failure('CODE_INVALID');
  const hashed = hashCode(secret, flow, code);
  const isStranger = owner.flowId === undefined;
  if (!isStranger) await repeatSecondCode(db, flow, hashed);
  const taken = await takeTry(db, flow.id, { isStranger });
  if (!taken) {
    // The second code was sent while the try waited for the first one's row.
    if (!isStranger) await repeatSecondCode(db, flow, hashed);
    throw new Failure('CODE_INVALID');
  }
  const isKnown = flow.isKnown && !isStranger;
  const number = `${isStranger ? 'stranger:' : isKnown ? 'known:' : ''}${owner.purpose}:${owner.phone}`;
  await limits.consume('codesFailedPerPhone', number);
  const isRight = isSame(taken.hashed, hashed);
  const suffices = !limited || (await countTry(db, { ...owner, isKnown }, isRight));
  if (!isRight) {
    // The second code was sent between the look for it and the try.
    if (taken.isSecond) await repeatSecondCode(db, flow, hashed);
    await limits.consume('codesFailedPerAddress', asker.address);
    throw new Failure('CODE_INVALID');
  }
  await limits.giveBack('codesFailedPerPhone', number);
  if (!suffices && !taken.isSecond) await sendSecondCode(tools, flow, { id: taken.id, code, hashed }, asker);
  return {
    flow,
    async use(tx) {
      const spent = await spendCode(tx, taken.id);
      if (!spent) return false;
      await recordConversion(tx, flow.id);
      await proveFlow(tx, flow.id, { isStranger });
      return true;
    },
  };
}

/** Spends the right code, sends the second one, and throws SECOND_CODE; TOO_MANY or SMS_PAUSED where none may be sent. */
async function sendSecondCode(
  tools: AuthTools,
  flow: Flow,
  { id, code, hashed }: { id: number; code: string; hashed: string },
  asker: Asker,
): Promise<never> {
  const retryAfter = await tools.db.transaction(async (tx) => {
    // First, in the order of a resend: the reverse order could deadlock.
    await lockNumber(tx, flow.phone, flow.purpose);
    if (!(await spendCode(tx, id))) return undefined;
    await recordConversion(tx, flow.id);
    return sendCode(tools, tx, flow, { asker, first: code });
  });
  if (retryAfter !== undefined) throw new Failure('SECOND_CODE', { retryAfter });
  await repeatSecondCode(tools.db, flow, hashed);
  throw new Failure('CODE_INVALID');
}

/** Throws SECOND_CODE again for the code that it was sent for: that answer was lost, or is on its way. It costs no try. */
async function repeatSecondCode(db: Db, flow: Flow, hashed: string): Promise<void> {
  const first = await findFirstCode(db, flow.id);
  if (first === undefined || !isSame(first, hashed)) return;
  throw new Failure('SECOND_CODE', { retryAfter: await secondsUntilNextCode(db, flow.phone, flow.purpose) });
}

/**
 * Sends another code of the caller's flow, and answers the seconds until the next may be asked for. Throws TOO_MANY,
 * USER_NOT_FOUND when there is nothing to resend, ALREADY_VERIFIED when the flow is proven, and SMS_PAUSED.
 */
export async function resendCode(
  tools: AuthTools,
  owner: CodeOwner,
  asker: Asker,
): Promise<{ flow: Flow; retryAfter: number }> {
  const wanted = await findCallersFlow(tools.db, owner);
  if (wanted) await requireSending(tools, wanted, asker);
  return tools.db.transaction(async (tx) => {
    const flow = await findCallersFlow(tx, owner);
    if (!flow && (await isProven(tx, owner))) throw new Failure('ALREADY_VERIFIED');
    if (!flow) throw new Failure('USER_NOT_FOUND', { message: failureSentences.nothingToResend });
    return { flow, retryAfter: await sendCode(tools, tx, flow, { asker }) };
  });
}
