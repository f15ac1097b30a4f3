import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import { requireUnchanged } from '#server/database/require-unchanged.ts';
import { setActive, type UserRow } from '#server/features/users/store.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import { type ExpectingAction, requireSubject } from './require-subject.ts';

/**
 * Opens an account, as verified. Who never verified the number has no password then, since none was proven: they choose one
 * by a code at their next sign-in. Throws USER_NOT_FOUND, PROTECTED_USER, CHANGED_MEANWHILE.
 */
export async function activateUser(write: AuditedWrite, action: ExpectingAction): Promise<UserRow> {
  return write(async (tx, note) => {
    const user = await requireSubject(tx, action);
    if (user.isGuest) throw new Failure('PROTECTED_USER', { message: failureSentences.guestCannotBeVerified });
    // What it leads to may be there already.
    if (!user.isVerified) requireUnchanged(user.updatedAt, action.expectedUpdatedAt);
    note({ before: { isVerified: user.isVerified } });
    return (await setActive(tx, user.id, true)) as UserRow;
  });
}
