import type * as z from 'zod/mini';
import type { signUpForm } from '#contract/auth.ts';
import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import { countryOf } from '#contract/phone.ts';
import type { Db } from '#server/database/connect.ts';
import { requirePhone } from '#server/features/users/require-phone.ts';
import { findUserByPhone, saveUnverifiedUser, type UserRow, verifyUser } from '#server/features/users/store.ts';
import { type AuthTools, checkCode, type FlowKey, type RequestOrigin, requireSending, sendCode } from './codes.ts';
import {
  closeFlows,
  createFlow,
  type Flow,
  findOwnFlow,
  lockNumber,
  type RetryOf,
  secondsUntilNextCode,
  setClaim,
} from './store.ts';

/**
 * Signs a person up: an unverified account, a flow for this browser, and a code. The sign-up whose code is entered wins. The browser of
 * an earlier sign-up may correct it during the cool-down; other callers get the same refusal for any data. Throws PHONE_INVALID,
 * PHONE_TAKEN, BUSY, TOO_MANY, SMS_PAUSED.
 */
export async function signUp(
  tools: AuthTools,
  form: z.output<typeof signUpForm>,
  browser: RetryOf,
  origin: RequestOrigin,
): Promise<{ user: UserRow; flow: Flow }> {
  const phone = requirePhone(form.phone, form.countryCode);
  const { db } = tools;
  const checkMaySignUp = async (tx: Db) => {
    await lockNumber(tx, phone, 'signup');
    const known = await findUserByPhone(tx, phone);
    if (known && (known.isVerified || known.isAdmin || known.deactivatedAt)) throw new Failure('PHONE_TAKEN');
    const mine = await findOwnFlow(tx, browser, phone, 'signup');
    const wait = tools.limited ? await secondsUntilNextCode(tx, phone, 'signup') : 0;
    if (wait > 0 && !mine)
      throw new Failure('TOO_MANY', { message: failureSentences.waitForCode(wait), retryAfter: wait });
    return { mine, mayCode: wait === 0 };
  };
  // Checked before hashing, so that a refused sign-up costs little.
  const { mayCode: wantsCode } = await db.transaction(checkMaySignUp);
  if (wantsCode) await requireSending(tools, { phone, isKnownBrowser: false }, origin);
  const password = await tools.passwords.hash(form.password);
  const { firstName, lastName, email = null } = form;
  const details = { firstName, lastName, email, countryCode: countryOf(phone)?.code ?? form.countryCode };
  return db.transaction(async (tx) => {
    const { mine, mayCode } = await checkMaySignUp(tx);
    const user = await saveUnverifiedUser(tx, phone, details);
    const claim = { ...details, password };
    const flow = mine ?? (await createFlow(tx, { phone, purpose: 'signup', claim, key: browser.key ?? null }));
    if (mine) await setClaim(tx, flow.id, claim);
    if (mayCode) await sendCode(tools, tx, flow, { origin });
    return { user, flow };
  });
}

/** Gives the account the data that the proven flow claims. Throws as `checkCode`, and ALREADY_VERIFIED if this flow has done so. */
export async function verifyOtp(
  tools: AuthTools,
  entered: FlowKey,
  code: string,
  origin: RequestOrigin,
): Promise<UserRow> {
  const { flow, use } = await checkCode(tools, entered, code, origin);
  return tools.db.transaction(async (tx) => {
    const known = await findUserByPhone(tx, flow.phone);
    const closed = known && (known.deactivatedAt || known.isVerified || known.isAdmin);
    if (closed || !flow.claim || !(await use(tx))) throw new Failure('CODE_INVALID');
    const user = await verifyUser(tx, flow.phone, flow.claim);
    await closeFlows(tx, flow.phone, 'signup');
    return user;
  });
}
