import { createHash, randomBytes } from 'node:crypto';
import { Failure } from '#contract/failure.ts';
import { possiblePhones } from '#contract/phone.ts';
import { hashPassword } from '#server/features/users/password.ts';
import {
  closeFlows,
  endAccess,
  findUserByPhone,
  listUsersByPhones,
  lockUser,
  setPassword,
  type UserRow,
} from '#server/features/users/store.ts';
import { type AuthTools, type CodeOwner, checkCode, sendCode } from './codes.ts';
import { accountKey } from './sign-in.ts';
import { createFlow, type Flow, findFlow, findTokenOwner, saveResetToken, spendResetToken } from './store.ts';

const hash = (token: string) => createHash('sha256').update(token).digest('hex');

/** Only a verified person resets by SMS: no guest, nobody deactivated, and never an administrator. */
function mayReset(user: UserRow): boolean {
  return user.isVerified && !user.isAdmin && !user.isGuest && !user.deactivatedAt;
}

/**
 * Starts a reset: a flow of this browser and a code. Throws USER_NOT_FOUND for an unknown number and for an e-mail, and
 * TOO_MANY within a cool-down.
 */
export async function startReset(
  tools: AuthTools,
  phoneOrEmail: string,
  flowId: string | undefined,
): Promise<{ phone: string; flow: Flow }> {
  const { db } = tools;
  const found = (await listUsersByPhones(db, possiblePhones(phoneOrEmail))).filter(mayReset);
  const [user] = found;
  if (!user) throw new Failure('USER_NOT_FOUND');
  if (found.length > 1)
    throw new Failure('PHONE_INVALID', { message: "Ajoutez l'indicatif du pays, par exemple +226." });
  const { phone } = user;
  return db.transaction(async (tx) => {
    const mine = flowId ? await findFlow(tx, flowId, phone, 'reset') : undefined;
    const flow = mine ?? (await createFlow(tx, { phone, purpose: 'reset', pending: null }));
    await sendCode(tools, tx, flow);
    return { phone, flow };
  });
}

/** Exchanges a reset code for a token, 256 random bits of which only the hash is kept. Throws CODE_INVALID or TOO_MANY. */
export async function verifyResetCode(
  tools: AuthTools,
  owner: CodeOwner,
  code: string,
  address: string,
): Promise<string> {
  const { flow, use } = await checkCode(tools, owner, code, address);
  const token = randomBytes(32).toString('base64url');
  await tools.db.transaction(async (tx) => {
    const user = await findUserByPhone(tx, flow.phone);
    if (!user || !mayReset(user) || !(await use(tx))) throw new Failure('CODE_INVALID');
    await saveResetToken(tx, user.id, hash(token));
    await closeFlows(tx, flow.phone, 'reset');
  });
  return token;
}

/** Sets the password a token allows and ends every session of the account. Throws TOKEN_INVALID. */
export async function resetPassword(
  { db, limits }: Pick<AuthTools, 'db' | 'limits'>,
  { token, newPassword }: { token: string; newPassword: string },
): Promise<void> {
  const hashed = await hashPassword(newPassword);
  const reset = await db.transaction(async (tx) => {
    const userId = await findTokenOwner(tx, hash(token));
    const user = userId === undefined ? undefined : await lockUser(tx, userId);
    if (!user || !mayReset(user) || !(await spendResetToken(tx, hash(token)))) throw new Failure('TOKEN_INVALID');
    await setPassword(tx, user.id, hashed);
    await endAccess(tx, user);
    return user;
  });
  await limits.clear('signInsFailedPerAccount', accountKey(reset));
}
