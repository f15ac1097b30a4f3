import type * as z from 'zod/mini';
import type { signUpForm } from '#contract/auth.ts';
import { Failure } from '#contract/failure.ts';
import { countryOf } from '#contract/phone.ts';
import { hashPassword } from '#server/features/users/password.ts';
import { requirePhone } from '#server/features/users/require-phone.ts';
import {
  type AccountDetails,
  findUserByEmail,
  findUserByPhone,
  saveUnverifiedUser,
  type UserRow,
} from '#server/features/users/store.ts';
import { type AuthTools, sendCode } from './codes.ts';
import { findFlowWithPassword } from './find-flow-with-password.ts';
import { createFlow, type Flow, lockNumber, secondsUntilNextCode, setClaim } from './store.ts';

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
  const password = repeated?.claim?.password ?? (await hashPassword(form.password));
  const countryCode = countryOf(phone)?.code ?? form.countryCode;
  const claim: AccountDetails = { firstName, lastName, email, password, countryCode };
  return db.transaction(async (tx) => {
    await lockNumber(tx, phone, 'signup');
    const known = await findUserByPhone(tx, phone);
    if (known && (known.isVerified || known.isAdmin || known.deactivatedAt)) throw new Failure('PHONE_TAKEN');
    if (email && (await findUserByEmail(tx, email))) throw new Failure('EMAIL_TAKEN');
    const user = await saveUnverifiedUser(tx, phone, claim);
    const flow = repeated ?? (await createFlow(tx, { phone, purpose: 'signup', claim }));
    if (repeated) await setClaim(tx, flow.id, claim);
    // The same person again, whose first answer was lost: their code is on its way.
    const underway = repeated && tools.limited && (await secondsUntilNextCode(tx, phone, 'signup')) > 0;
    if (!underway) await sendCode(tools, tx, flow);
    return { user, flow };
  });
}
