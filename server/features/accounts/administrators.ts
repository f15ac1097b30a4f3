import { commonPasswords } from '#contract/common-passwords.ts';
import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import { requireUnchanged } from '#server/database/columns.ts';
import type { Db } from '#server/database/connect.ts';
import { insertAuditEntry } from '#server/features/audit/store.ts';
import { accountKey } from '#server/features/auth/sign-in-attempts.ts';
import { endAccountAccess, forgetAttempts } from '#server/features/auth/store.ts';
import { hashPassword, inventPassword, type PasswordHasher } from '#server/features/users/password.ts';
import {
  findUser,
  findUserByPhone,
  insertAdministrator,
  lockAdministrators,
  lockUser,
  setAdministratorRole,
  setPassword,
  type UserRow,
} from '#server/features/users/store.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import { signInLimits } from '#server/process/limits.ts';
import type { ExpectingAction } from './account-actions.ts';

/** Makes an administrator with an invented password, audited. A number with an account keeps it, which is answered. */
export async function createAdministrator(
  db: Db,
  person: { phone: string; firstName: string; lastName: string },
): Promise<{ user: UserRow; password: string } | { taken: UserRow }> {
  const password = inventPassword();
  const hashed = await hashPassword(password);
  return db.transaction(async (tx) => {
    const user = await insertAdministrator(tx, { ...person, password: hashed });
    if (!user) return { taken: (await findUserByPhone(tx, person.phone)) as UserRow };
    await insertAuditEntry(tx, { action: 'admin_create', target: String(user.id), ip: 'local' });
    return { user, password };
  });
}

/** Sets an invented password for the first administrator, or that of a number, audited; undefined without one. */
export async function resetAdministrator(
  db: Db,
  phones?: readonly string[],
): Promise<{ user: UserRow; password: string } | undefined> {
  const password = inventPassword();
  const hashed = await hashPassword(password);
  return db.transaction(async (tx) => {
    const administrators = await lockAdministrators(tx);
    const user = administrators.find(({ phone }) => !phones || phones.includes(phone));
    if (!user) return undefined;
    await endAccountAccess(tx, user);
    await setPassword(tx, user.id, hashed);
    // Whoever lost a password has tried it: they wait no longer.
    await forgetAttempts(tx, accountKey(user));
    await insertAuditEntry(tx, { action: 'admin_reset', target: String(user.id), ip: 'local' });
    return { user, password };
  });
}

/**
 * Makes somebody an administrator, or takes the role away, and ends their sessions. Throws USER_NOT_FOUND; PROTECTED_USER
 * for oneself and whoever cannot have the role; LAST_ADMINISTRATOR, also where two take it from each other at once;
 * FORBIDDEN for an actor who has just lost it; PASSWORD_COMMON; CHANGED_MEANWHILE, also for a password changed meanwhile;
 * BUSY.
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
