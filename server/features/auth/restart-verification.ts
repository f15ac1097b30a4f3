import type { UserRow } from '#server/features/users/store.ts';
import { type AuthTools, sendCode } from './codes.ts';
import { findFlowWithPassword } from './find-flow-with-password.ts';
import { createFlow, type Flow, lockNumber, secondsUntilNextCode } from './store.ts';

/** Starts, or joins, the verification of an account whose password was just proven, and sends a code if one may go. */
export async function restartVerification(tools: AuthTools, user: UserRow, password: string): Promise<Flow> {
  const { firstName, lastName, email, countryCode } = user;
  const claim = { firstName, lastName, email, countryCode, password: user.password ?? '' };
  const joined = await findFlowWithPassword(tools.db, user.phone, password);
  return tools.db.transaction(async (tx) => {
    await lockNumber(tx, user.phone, 'signup');
    const flow = joined ?? (await createFlow(tx, { phone: user.phone, purpose: 'signup', claim }));
    const wait = tools.limited ? await secondsUntilNextCode(tx, user.phone, 'signup') : 0;
    if (wait === 0) await sendCode(tools, tx, flow);
    return flow;
  });
}
