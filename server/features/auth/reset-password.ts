import { Failure } from '#contract/failure.ts';
import { hashPassword } from '#server/features/users/password.ts';
import { lockUser, setPassword } from '#server/features/users/store.ts';
import { accountKey } from './account-key.ts';
import type { AuthTools } from './codes.ts';
import { endAccountAccess } from './end-account-access.ts';
import { hashResetToken, mayReset } from './reset-token.ts';
import { findTokenOwner, spendResetToken } from './store.ts';

/** Sets the password a token allows and ends every session of the account. Throws TOKEN_INVALID. */
export async function resetPassword(
  { db, limits }: Pick<AuthTools, 'db' | 'limits'>,
  { token, newPassword }: { token: string; newPassword: string },
): Promise<void> {
  const hashed = await hashPassword(newPassword);
  const stored = hashResetToken(token);
  const reset = await db.transaction(async (tx) => {
    const userId = await findTokenOwner(tx, stored);
    const user = userId === undefined ? undefined : await lockUser(tx, userId);
    if (!user || !mayReset(user) || !(await spendResetToken(tx, stored))) throw new Failure('TOKEN_INVALID');
    await setPassword(tx, user.id, hashed);
    await endAccountAccess(tx, user);
    return user;
  });
  await limits.clear('signInsFailedPerAccount', accountKey(reset));
}
