import { Failure } from '#contract/failure.ts';
import { lockUser, setPassword, type UserRow } from '#server/features/users/store.ts';
import { accountKey } from './account-key.ts';
import type { AuthTools } from './codes.ts';
import { endAccountAccess } from './end-account-access.ts';
import { hashResetToken, mayReset } from './reset-token.ts';
import { findTokenOwner, forgetAttempts, isLiveToken, spendResetToken } from './store.ts';

/** Sets the password a token allows, ends every session of the account, and answers whose it is. Throws TOKEN_INVALID, BUSY. */
export async function resetPassword(
  { db, passwords }: Pick<AuthTools, 'db' | 'passwords'>,
  { token, newPassword }: { token: string; newPassword: string },
): Promise<UserRow> {
  const stored = hashResetToken(token);
  // Before anything is hashed: a made-up token costs one look.
  if (!(await isLiveToken(db, stored))) throw new Failure('TOKEN_INVALID');
  const hashed = await passwords.hash(newPassword);
  return db.transaction(async (tx) => {
    const userId = await findTokenOwner(tx, stored);
    const user = userId === undefined ? undefined : await lockUser(tx, userId);
    if (!user || !mayReset(user) || !(await spendResetToken(tx, stored))) throw new Failure('TOKEN_INVALID');
    await endAccountAccess(tx, user);
    await forgetAttempts(tx, { account: accountKey(user) });
    return (await setPassword(tx, user.id, hashed)) as UserRow;
  });
}
