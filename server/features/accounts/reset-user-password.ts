import { isCommonPassword } from '#contract/common-passwords.ts';
import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import { requireUnchanged } from '#server/database/require-unchanged.ts';
import { endAccountAccess } from '#server/features/auth/end-account-access.ts';
import type { PasswordHasher } from '#server/features/users/password.ts';
import { lockUser, setPassword, type UserRow } from '#server/features/users/store.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import { type ExpectingAction, requireSubject } from './require-subject.ts';

/**
 * Sets another password and ends the account's sessions. An administrator may reset their own, and no colleague's. Throws
 * USER_NOT_FOUND, PROTECTED_USER, PASSWORD_COMMON, CHANGED_MEANWHILE, BUSY.
 */
export async function resetUserPassword(
  write: AuditedWrite,
  passwords: PasswordHasher,
  action: ExpectingAction & { password: string },
): Promise<UserRow> {
  // Nobody resets another administrator's: this is their own.
  if (action.actorId === action.userId && isCommonPassword(action.password)) throw new Failure('PASSWORD_COMMON');
  const hashed = await passwords.hash(action.password);
  return write(async (tx) => {
    const own = action.actorId === action.userId ? await lockUser(tx, action.userId) : undefined;
    const user = own ?? (await requireSubject(tx, action));
    if (user.isGuest) throw new Failure('PROTECTED_USER', { message: failureSentences.guestHasNoPassword });
    requireUnchanged(user.updatedAt, action.expectedUpdatedAt);
    await endAccountAccess(tx, user);
    return (await setPassword(tx, user.id, hashed)) as UserRow;
  });
}
