import { endAccountAccess } from '#server/features/auth/end-account-access.ts';
import { deleteUserRow } from '#server/features/users/store.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import { type AccountAction, requireSubject } from './require-subject.ts';

/** Deletes an account for good; its tickets stay. Throws USER_NOT_FOUND, PROTECTED_USER. */
export async function deleteUser(write: AuditedWrite, action: AccountAction): Promise<void> {
  await write(async (tx, note) => {
    const user = await requireSubject(tx, action);
    await endAccountAccess(tx, user);
    await deleteUserRow(tx, user.id);
    note({ before: { isGuest: user.isGuest, isVerified: user.isVerified } });
  });
}
