import { commonPasswords } from '#contract/common-passwords.ts';
import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import type { Db } from '#server/database/connect.ts';
import { requireUnchanged } from '#server/database/require-unchanged.ts';
import { endAccountAccess } from '#server/features/auth/end-account-access.ts';
import type { PasswordHasher } from '#server/features/users/password.ts';
import {
  findUser,
  lockAdministrators,
  lockUser,
  setAdministratorRole,
  type UserRow,
} from '#server/features/users/store.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import { signInLimits } from '#server/process/limits.ts';
import type { ExpectingAction } from './require-subject.ts';

/**
 * Makes somebody an administrator, or takes the role away, and ends their sessions, since an administrator's are shorter. A
 * role that they have already stays, and so do their sessions. Throws USER_NOT_FOUND; PROTECTED_USER for oneself and whoever
 * cannot have the role; LAST_ADMINISTRATOR, also where two take it from each other at once; FORBIDDEN for an actor who has
 * just lost it; PASSWORD_COMMON; CHANGED_MEANWHILE for another account than expected, or a password that was changed while it was looked at; BUSY.
 */
export async function setAdministrator(
  write: AuditedWrite,
  tools: { db: Db; passwords: PasswordHasher },
  { actorId, userId, isAdmin, expectedUpdatedAt }: ExpectingAction & { isAdmin: boolean },
): Promise<UserRow> {
  const compared = isAdmin ? await requireRarePassword(tools, userId) : undefined;
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
    requireUnchanged(user.updatedAt, expectedUpdatedAt);
    if (isAdmin) requireCandidate(user);
    if (isAdmin && user.password !== compared) throw new Failure('CHANGED_MEANWHILE');
    await endAccountAccess(tx, user);
    note({ before: { isAdmin: user.isAdmin } });
    return (await setAdministratorRole(tx, user.id, isAdmin)) as UserRow;
  });
}

/** Refuses a password that is guessed first, and answers the hash that was looked at. Throws PASSWORD_COMMON, BUSY. */
async function requireRarePassword(
  { db, passwords }: { db: Db; passwords: PasswordHasher },
  userId: number,
): Promise<string | null> {
  const user = await findUser(db, userId);
  if (!user?.isVerified || user.isAdmin || user.password === null) return user?.password ?? null;
  for (const common of commonPasswords.slice(0, signInLimits.comparedAtPromotion))
    if (await passwords.matches(common, user.password))
      throw new Failure('PASSWORD_COMMON', { message: failureSentences.commonNoAdministrator });
  return user.password;
}

function requireCandidate({ isGuest, deactivatedAt, isVerified, password }: UserRow): void {
  const refuse = (message: string) => new Failure('PROTECTED_USER', { message });
  if (isGuest) throw refuse(failureSentences.guestNoAdministrator);
  if (deactivatedAt) throw refuse(failureSentences.deactivatedNoAdministrator);
  if (!isVerified) throw refuse(failureSentences.unverifiedNoAdministrator);
  if (password === null) throw refuse(failureSentences.unsetNoAdministrator);
}
