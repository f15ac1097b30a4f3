import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import { endAccountAccess } from '#server/features/auth/end-account-access.ts';
import { lockAdministrators, lockUser, setAdministratorRole, type UserRow } from '#server/features/users/store.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import type { AccountAction } from './require-subject.ts';

/**
 * Makes somebody an administrator, or takes the role away, and ends their sessions, since an administrator's are shorter. A
 * role that they have already stays, and so do their sessions. Throws USER_NOT_FOUND; PROTECTED_USER for oneself and whoever
 * cannot have the role; LAST_ADMINISTRATOR, also where two take it from each other at once; FORBIDDEN for an actor who has
 * just lost it.
 */
export async function setAdministrator(
  write: AuditedWrite,
  { actorId, userId, isAdmin }: AccountAction & { isAdmin: boolean },
): Promise<UserRow> {
  return write(async (tx, note) => {
    const administrators = await lockAdministrators(tx);
    const user = await lockUser(tx, userId);
    if (!user) throw new Failure('USER_NOT_FOUND', { message: failureSentences.unknownUser });
    if (user.id === actorId) throw new Failure('PROTECTED_USER', { message: failureSentences.ownRole });
    if (user.isAdmin && !isAdmin && administrators.length === 1) throw new Failure('LAST_ADMINISTRATOR');
    if (!administrators.some((each) => each.id === actorId)) throw new Failure('FORBIDDEN');
    if (user.isAdmin === isAdmin) {
      note({ unchanged: true });
      return user;
    }
    if (isAdmin) requireCandidate(user);
    await endAccountAccess(tx, user);
    note({ before: { isAdmin: user.isAdmin } });
    return (await setAdministratorRole(tx, user.id, isAdmin)) as UserRow;
  });
}

function requireCandidate({ isGuest, deactivatedAt, isVerified }: UserRow): void {
  const refuse = (message: string) => new Failure('PROTECTED_USER', { message });
  if (isGuest) throw refuse(failureSentences.guestNoAdministrator);
  if (deactivatedAt) throw refuse(failureSentences.deactivatedNoAdministrator);
  if (!isVerified) throw refuse(failureSentences.unverifiedNoAdministrator);
}
