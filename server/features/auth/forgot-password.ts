import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import { possiblePhones } from '#contract/phone.ts';
import type { Db } from '#server/database/connect.ts';
import { listUsersByPhones } from '#server/features/users/store.ts';
import { type Asker, isKnownTo } from './asker.ts';
import { type AuthTools, type SameBrowser, sendCode } from './codes.ts';
import { requireSending } from './require-sending.ts';
import { mayReset } from './reset-token.ts';
import { createFlow, type Flow, findFlowByKey, findOpenFlow, lockNumber, secondsUntilNextCode } from './store.ts';

/**
 * Starts a reset: a flow of this browser and a code. The same form again, within its code's cool-down, answers its flow and
 * sends nothing. Throws USER_NOT_FOUND for an unknown number and for an e-mail, and PHONE_INVALID for a local number of
 * several people. Throws TOO_MANY within a cool-down or after unentered codes of this address, and SMS_PAUSED.
 */
export async function forgotPassword(
  tools: AuthTools,
  phoneOrEmail: string,
  { flowId, key }: SameBrowser,
  asker: Asker,
): Promise<{ phone: string; flow: Flow }> {
  const { db } = tools;
  const found = (await listUsersByPhones(db, possiblePhones(phoneOrEmail))).filter(mayReset);
  const [user] = found;
  if (!user) throw new Failure('USER_NOT_FOUND');
  if (found.length > 1) throw new Failure('PHONE_INVALID', { message: failureSentences.severalCountries });
  const { phone } = user;
  const findByForm = async (at: Db) => (key ? findFlowByKey(at, key, phone, 'reset') : undefined);
  const findSent = async (at: Db) => {
    const flow = await findByForm(at);
    return flow && tools.limited && (await secondsUntilNextCode(at, phone, 'reset')) > 0 ? flow : undefined;
  };
  const sent = await findSent(db);
  if (sent) return { phone, flow: sent };
  await requireSending(tools, { phone, purpose: 'reset' }, asker);
  return db.transaction(async (tx) => {
    await lockNumber(tx, phone, 'reset');
    const meanwhile = await findSent(tx);
    if (meanwhile) return { phone, flow: meanwhile };
    const mine = (flowId && (await findOpenFlow(tx, flowId, phone, 'reset'))) || (await findByForm(tx));
    const isKnown = isKnownTo(user, asker);
    const flow = mine ?? (await createFlow(tx, { phone, purpose: 'reset', claim: null, key: key ?? null, isKnown }));
    await sendCode(tools, tx, flow, { asker });
    return { phone, flow };
  });
}
