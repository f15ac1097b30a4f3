import { createHash, createHmac, randomBytes } from 'node:crypto';
import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import { possiblePhones } from '#contract/read-phone.ts';
import type { Db } from '#server/database/connect.ts';
import {
  findUserByPhone,
  listUsersByPhones,
  lockUser,
  setPassword,
  type UserRow,
} from '#server/features/users/store.ts';
import { type AuthTools, checkCode, type FlowKey, type RequestOrigin, requireSending, sendCode } from './codes.ts';
import { accountKey } from './sign-in-attempts.ts';
import {
  closeFlows,
  createFlow,
  endAccountAccess,
  type Flow,
  findOwnFlow,
  findTokenOwner,
  forgetAttempts,
  lockNumber,
  type RetryOf,
  saveResetToken,
  secondsUntilNextCode,
  spendResetToken,
} from './store.ts';

/** The stored form of a reset token. */
const hashResetToken = (token: string) => createHash('sha256').update(token).digest('hex');

/** Whether an account may be reset by SMS: it is verified, and no guest, deactivated account or administrator. */
export const mayReset = (user: UserRow) => user.isVerified && !user.isAdmin && !user.isGuest && !user.deactivatedAt;

/**
 * Starts a reset: a flow for this browser, and a code. The same form again within the cool-down sends nothing. Throws USER_NOT_FOUND,
 * also for an e-mail address; PHONE_INVALID for a local number of several people; TOO_MANY, SMS_PAUSED.
 */
export async function forgotPassword(
  tools: AuthTools,
  phoneOrEmail: string,
  { flowId, key }: RetryOf,
  origin: RequestOrigin,
): Promise<{ phone: string; flow: Flow }> {
  const { db } = tools;
  const found = (await listUsersByPhones(db, possiblePhones(phoneOrEmail))).filter(mayReset);
  const [user] = found;
  if (!user) throw new Failure('USER_NOT_FOUND');
  if (found.length > 1) throw new Failure('PHONE_INVALID', { message: failureSentences.severalCountries });
  const { phone } = user;
  const findSent = async (at: Db) => {
    const flow = await findOwnFlow(at, { key }, phone, 'reset');
    return flow && tools.limited && (await secondsUntilNextCode(at, phone, 'reset')) > 0 ? flow : undefined;
  };
  const sent = await findSent(db);
  if (sent) return { phone, flow: sent };
  const isKnownBrowser = origin.knownBrowser?.knows(user) ?? false;
  await requireSending(tools, { phone, isKnownBrowser }, origin);
  return db.transaction(async (tx) => {
    await lockNumber(tx, phone, 'reset');
    const meanwhile = await findSent(tx);
    if (meanwhile) return { phone, flow: meanwhile };
    const mine = await findOwnFlow(tx, { flowId, key }, phone, 'reset');
    const flow =
      mine ?? (await createFlow(tx, { phone, purpose: 'reset', claim: null, key: key ?? null, isKnownBrowser }));
    await sendCode(tools, tx, flow, { origin });
    return { phone, flow };
  });
}

/**
 * Exchanges a reset code for a token of 256 bits. A browser that lost the answer gets the live token again, by its flow's cookie and the
 * key it sent. Throws CODE_INVALID, TOO_MANY, SECOND_CODE or SMS_PAUSED.
 */
export async function verifyResetOtp(
  tools: AuthTools,
  entered: FlowKey,
  { code, key }: { code: string; key: string | undefined },
  origin: RequestOrigin,
): Promise<string> {
  // With a key the token is the same for a repeated exchange, and unpredictable without the server's secret.
  const tokenOf = (flowId: string) =>
    (key
      ? createHmac('sha256', tools.secret).update(`token|${flowId}|${code}|${key}`).digest()
      : randomBytes(32)
    ).toString('base64url');
  const lost = key && entered.flowId ? tokenOf(entered.flowId) : undefined;
  if (lost && (await findTokenOwner(tools.db, hashResetToken(lost)))) return lost;
  const { flow, use } = await checkCode(tools, entered, code, origin);
  const token = tokenOf(flow.id);
  await tools.db.transaction(async (tx) => {
    const user = await findUserByPhone(tx, flow.phone);
    if (!user || !mayReset(user) || !(await use(tx))) throw new Failure('CODE_INVALID');
    await saveResetToken(tx, user.id, hashResetToken(token));
    await closeFlows(tx, flow.phone, 'reset');
  });
  return token;
}

/** Sets a new password by a token, ends every session of the account, and answers its user. Throws TOKEN_INVALID, BUSY. */
export async function resetPassword(
  { db, passwords }: Pick<AuthTools, 'db' | 'passwords'>,
  { token, newPassword }: { token: string; newPassword: string },
): Promise<UserRow> {
  const stored = hashResetToken(token);
  // Checked before hashing, so that a made-up token costs one query.
  const userId = await findTokenOwner(db, stored);
  if (userId === undefined) throw new Failure('TOKEN_INVALID');
  const hashed = await passwords.hash(newPassword);
  return db.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user || !mayReset(user) || !(await spendResetToken(tx, stored))) throw new Failure('TOKEN_INVALID');
    await endAccountAccess(tx, user);
    await forgetAttempts(tx, accountKey(user));
    return (await setPassword(tx, user.id, hashed)) as UserRow;
  });
}
