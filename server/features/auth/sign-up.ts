import type * as z from 'zod/mini';
import type { signUpForm } from '#contract/auth.ts';
import { Failure } from '#contract/failure.ts';
import { countryOf, readPhone } from '#contract/phone.ts';
import { type Db, violatedConstraint } from '#server/database/connect.ts';
import type { PendingAccount } from '#server/database/tables.ts';
import { hashPassword, isPassword } from '#server/features/users/password.ts';
import {
  closeFlows,
  findUserByEmail,
  findUserByPhone,
  saveUnverifiedUser,
  type UserRow,
  verifyUser,
} from '#server/features/users/store.ts';
import { type AuthTools, type CodeOwner, checkCode, findCallersFlow, isProven, sendCode } from './codes.ts';
import { createFlow, type Flow, listFlows, lockNumber, secondsUntilNextCode, setPending } from './store.ts';

/** Reads a number as E.164. Throws PHONE_INVALID with what is wrong in it. */
export function requirePhone(typed: string, countryCode: string, path = 'phone'): string {
  const reading = readPhone(typed, countryCode);
  if ('e164' in reading) return reading.e164;
  throw new Failure('PHONE_INVALID', { message: reading.problem, issues: [{ path, message: reading.problem }] });
}

/**
 * Signs a person up: an unverified account, a flow of this browser, a code. A number that was never verified may sign up
 * again; the flow whose code is entered decides which sign-up counts. Throws PHONE_INVALID, PHONE_TAKEN, EMAIL_TAKEN,
 * TOO_MANY.
 */
export async function signUp(
  tools: AuthTools,
  form: z.output<typeof signUpForm>,
): Promise<{ user: UserRow; flow: Flow }> {
  const phone = requirePhone(form.phone, form.countryCode);
  const { db } = tools;
  const { firstName, lastName, email = null } = form;
  const repeated = await findFlowWithPassword(db, phone, form.password);
  const password = repeated?.pending?.password ?? (await hashPassword(form.password));
  const countryCode = countryOf(phone)?.code ?? form.countryCode;
  const pending: PendingAccount = { firstName, lastName, email, password, countryCode };
  return db.transaction(async (tx) => {
    await lockNumber(tx, phone, 'signup');
    const known = await findUserByPhone(tx, phone);
    if (known && (known.isVerified || known.isAdmin || known.deactivatedAt)) throw new Failure('PHONE_TAKEN');
    if (email && (await findUserByEmail(tx, email))) throw new Failure('EMAIL_TAKEN');
    const user = await saveUnverifiedUser(tx, phone, pending);
    const flow = repeated ?? (await createFlow(tx, { phone, purpose: 'signup', pending }));
    if (repeated) await setPending(tx, flow.id, pending);
    // The same person again, whose first answer was lost: their code is on its way.
    const underway = repeated && tools.limited && (await secondsUntilNextCode(tx, phone, 'signup')) > 0;
    if (!underway) await sendCode(tools, tx, flow);
    return { user, flow };
  });
}

/** A sign-up of today made with the same password: whoever knows it is the same person. */
async function findFlowWithPassword(db: Db, phone: string, password: string): Promise<Flow | undefined> {
  for (const flow of (await listFlows(db, phone, 'signup')).slice(0, 3))
    if (await isPassword(password, flow.pending?.password)) return flow;
  return undefined;
}

/** Starts, or joins, the verification of an account whose password was just proven, and sends a code if one may go. */
export async function restartVerification(tools: AuthTools, user: UserRow, password: string): Promise<Flow> {
  const { firstName, lastName, email, countryCode } = user;
  const pending = { firstName, lastName, email, countryCode, password: user.password ?? '' };
  const joined = await findFlowWithPassword(tools.db, user.phone, password);
  return tools.db.transaction(async (tx) => {
    await lockNumber(tx, user.phone, 'signup');
    const flow = joined ?? (await createFlow(tx, { phone: user.phone, purpose: 'signup', pending }));
    const wait = tools.limited ? await secondsUntilNextCode(tx, user.phone, 'signup') : 0;
    if (wait === 0) await sendCode(tools, tx, flow);
    return flow;
  });
}

/** Verifies a number: the account takes what the proven flow asked for. Throws CODE_INVALID or TOO_MANY. */
export async function verifyPhone(tools: AuthTools, owner: CodeOwner, code: string, address: string): Promise<UserRow> {
  const { flow, use } = await checkCode(tools, owner, code, address);
  const verify = (pending: PendingAccount | null) =>
    tools.db.transaction(async (tx) => {
      const known = await findUserByPhone(tx, flow.phone);
      const closed = known && (known.deactivatedAt || known.isVerified || known.isAdmin);
      if (closed || !pending || !(await use(tx))) throw new Failure('CODE_INVALID');
      const user = await verifyUser(tx, flow.phone, pending);
      await closeFlows(tx, flow.phone, 'signup');
      return user;
    });
  return verify(flow.pending).catch((error: unknown) => {
    // Somebody verified the same e-mail at this very moment: it is theirs.
    if (violatedConstraint(error) !== 'users_email_once' || !flow.pending) throw error;
    return verify({ ...flow.pending, email: null });
  });
}

/** Sends another code of the caller's flow. Throws TOO_MANY, or USER_NOT_FOUND when there is nothing to resend. */
export async function resendCode(tools: AuthTools, owner: CodeOwner): Promise<{ flow: Flow; retryAfter: number }> {
  return tools.db.transaction(async (tx) => {
    const flow = await findCallersFlow(tx, owner);
    if (!flow && (await isProven(tx, owner))) throw new Failure('ALREADY_VERIFIED');
    if (!flow) throw new Failure('USER_NOT_FOUND', { message: 'Impossible de renvoyer le code.' });
    return { flow, retryAfter: await sendCode(tools, tx, flow) };
  });
}
