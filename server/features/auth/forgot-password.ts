import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import { possiblePhones } from '#contract/phone.ts';
import { listUsersByPhones } from '#server/features/users/store.ts';
import { type AuthTools, sendCode } from './codes.ts';
import { requireSending } from './require-sending.ts';
import { mayReset } from './reset-token.ts';
import { createFlow, type Flow, findOpenFlow } from './store.ts';

/**
 * Starts a reset: a flow of this browser and a code. Throws USER_NOT_FOUND for an unknown number and for an e-mail,
 * PHONE_INVALID for a local number of several people, TOO_MANY within a cool-down, CODE_LOCKED and SMS_PAUSED.
 */
export async function forgotPassword(
  tools: AuthTools,
  phoneOrEmail: string,
  flowId: string | undefined,
): Promise<{ phone: string; flow: Flow }> {
  const { db } = tools;
  const found = (await listUsersByPhones(db, possiblePhones(phoneOrEmail))).filter(mayReset);
  const [user] = found;
  if (!user) throw new Failure('USER_NOT_FOUND');
  if (found.length > 1) throw new Failure('PHONE_INVALID', { message: failureSentences.severalCountries });
  const { phone } = user;
  await requireSending(tools, { phone, purpose: 'reset' });
  return db.transaction(async (tx) => {
    const mine = flowId ? await findOpenFlow(tx, flowId, phone, 'reset') : undefined;
    const flow = mine ?? (await createFlow(tx, { phone, purpose: 'reset', claim: null }));
    await sendCode(tools, tx, flow);
    return { phone, flow };
  });
}
