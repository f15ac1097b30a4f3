import { isCommonPassword } from '#contract/common-passwords.ts';
import { Failure, failureCatalogue } from '#contract/failure.ts';
import { endAccountAccess } from '#server/features/auth/end-account-access.ts';
import type { From } from '#server/features/auth/sign-in.ts';
import { findUser, lockUser, setPassword, type UserRow } from '#server/features/users/store.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import type { Caller } from '#server/http/guards.ts';
import { type PasswordTools, requirePassword } from './require-password.ts';

/**
 * Sets a person's own password, given the present one, and ends all their sessions, resets and tokens; answers them as they
 * are then. An administrator's is no common one. Throws PASSWORD_WRONG, PASSWORD_COMMON, TOO_MANY, BUSY, and NOT_SIGNED_IN
 * where the account was closed, or got another password or role, meanwhile: that has ended their session.
 */
export async function changePassword(
  tools: PasswordTools,
  write: AuditedWrite,
  { userId }: Caller,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
  from: From,
): Promise<UserRow> {
  const { db, passwords } = tools;
  const user = await findUser(db, userId);
  if (!user) throw new Failure('NOT_SIGNED_IN');
  await requirePassword(tools, user, { password: currentPassword, field: 'currentPassword' }, from);
  if (user.isAdmin && isCommonPassword(newPassword)) {
    const [, message] = failureCatalogue.PASSWORD_COMMON;
    throw new Failure('PASSWORD_COMMON', { issues: [{ path: 'newPassword', message }] });
  }
  const hashed = await passwords.hash(newPassword);
  return write(async (tx, note) => {
    note({ target: userId });
    const now = await lockUser(tx, userId);
    if (!now || now.password !== user.password || now.isAdmin !== user.isAdmin || now.deactivatedAt)
      throw new Failure('NOT_SIGNED_IN');
    await endAccountAccess(tx, now);
    return (await setPassword(tx, userId, hashed)) as UserRow;
  });
}
