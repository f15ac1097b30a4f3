import { endAccountAccess } from '#server/features/auth/end-account-access.ts';
import { setActive, type UserRow } from '#server/features/users/store.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import { type AccountAction, requireSubject } from './require-subject.ts';

/**
 * Closes an account: whoever is signed in to it is out at once, and no code or reset opens it again. Throws
 * USER_NOT_FOUND, PROTECTED_USER.
 */
export async function deactivateUser(write: AuditedWrite, action: AccountAction): Promise<UserRow> {
  return write(async (tx, note) => {
    const user = await requireSubject(tx, action);
    await endAccountAccess(tx, user);
    note({ before: { isVerified: user.isVerified } });
    return (await setActive(tx, user.id, false)) as UserRow;
  });
}
