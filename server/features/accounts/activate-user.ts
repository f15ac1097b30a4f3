import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import { violatedConstraint } from '#server/database/connect.ts';
import { findUserByEmail, setActive, type UserRow } from '#server/features/users/store.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import { type AccountAction, requireSubject } from './require-subject.ts';

/**
 * Opens an account, as verified. Throws USER_NOT_FOUND, PROTECTED_USER, and EMAIL_TAKEN when its e-mail now belongs to
 * somebody verified.
 */
export async function activateUser(write: AuditedWrite, action: AccountAction): Promise<UserRow> {
  return write(async (tx, note) => {
    const user = await requireSubject(tx, action);
    if (user.isGuest) throw new Failure('PROTECTED_USER', { message: failureSentences.guestCannotBeVerified });
    const owner = user.email ? await findUserByEmail(tx, user.email) : undefined;
    if (owner && owner.id !== user.id) throw new Failure('EMAIL_TAKEN');
    note({ before: { isVerified: user.isVerified } });
    return (await setActive(tx, user.id, true)) as UserRow;
  }).catch((error: unknown) => {
    throw violatedConstraint(error) === 'users_email_once' ? new Failure('EMAIL_TAKEN') : error;
  });
}
