import type { UserRow } from '#server/features/users/store.ts';
import type { Asker } from './asker.ts';
import { type AuthTools, sendCode } from './codes.ts';
import { requireSending } from './require-sending.ts';
import { createFlow, type Flow, lockNumber, secondsUntilNextCode } from './store.ts';

/**
 * Continues the sign-up whose password was just proven, or begins one for an account whose password an administrator set.
 * Sends a code if the cool-down is over. Throws TOO_MANY after unentered codes of this address, and SMS_PAUSED.
 */
export async function restartVerification(
  tools: AuthTools,
  { firstName, lastName, email, countryCode, phone, password }: UserRow,
  proven: Flow | undefined,
  asker: Asker,
): Promise<Flow> {
  const claim = { firstName, lastName, email, countryCode, password: password ?? '' };
  const cooling = tools.limited && (await secondsUntilNextCode(tools.db, phone, 'signup')) > 0;
  if (!cooling) await requireSending(tools, { phone, purpose: 'signup' }, asker);
  return tools.db.transaction(async (tx) => {
    await lockNumber(tx, phone, 'signup');
    const flow = proven ?? (await createFlow(tx, { phone, purpose: 'signup', claim }));
    const wait = tools.limited ? await secondsUntilNextCode(tx, phone, 'signup') : 0;
    if (wait === 0) await sendCode(tools, tx, flow, { asker });
    return flow;
  });
}
