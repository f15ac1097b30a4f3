import type { Db } from '#server/database/connect.ts';
import { endAccountAccess } from '#server/features/auth/end-account-access.ts';
import { deleteUserRow } from '#server/features/users/store.ts';
import { type AccountAction, requireSubject } from './require-subject.ts';

/** Deletes an account for good; its tickets stay. Throws USER_NOT_FOUND, PROTECTED_USER. */
export async function deleteUser(db: Db, action: AccountAction): Promise<void> {
  await db.transaction(async (tx) => {
    const user = await requireSubject(tx, action);
    await endAccountAccess(tx, user);
    await deleteUserRow(tx, user.id);
  });
}
