import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import { requireUnchanged } from '#server/database/columns.ts';
import type { Db } from '#server/database/connect.ts';
import { endAccountAccess } from '#server/features/entry/store.ts';
import type { PasswordHasher } from '#server/features/users/password.ts';
import { deleteUserRow, lockUser, setActive, setPassword, type UserRow } from '#server/features/users/store.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';

/** An administrator's action on a user's account. */
interface AccountAction {
  actorId: number;
  userId: number;
}

/** An action that is wrong if the account has changed unseen, so that it names the expected version. */
interface ExpectingAction extends AccountAction {
  expectedUpdatedAt?: string | null | undefined;
}

/** Locks the user of an action. Throws USER_NOT_FOUND, or PROTECTED_USER for an administrator or oneself. */
async function requireSubject(tx: Db, { actorId, userId }: AccountAction): Promise<UserRow> {
  const user = await lockUser(tx, userId);
  if (!user) throw new Failure('USER_NOT_FOUND', { message: failureSentences.unknownUser });
  if (user.isAdmin || user.id === actorId) throw new Failure('PROTECTED_USER');
  return user;
}

/** Opens an account, as verified. Throws USER_NOT_FOUND, PROTECTED_USER, CHANGED_MEANWHILE. */
export async function activateUser(write: AuditedWrite, action: ExpectingAction): Promise<UserRow> {
  return write(async (tx, note) => {
    const user = await requireSubject(tx, action);
    if (user.isGuest) throw new Failure('PROTECTED_USER', { message: failureSentences.guestCannotBeVerified });
    // An account that is already verified needs no expected version: the result is the same.
    if (!user.isVerified) requireUnchanged(user.updatedAt, action.expectedUpdatedAt);
    note({ before: { isVerified: user.isVerified } });
    // A person who never verified the number has no password yet, and chooses one by 'Mot de passe oublié'.
    return (await setActive(tx, user.id, true)) as UserRow;
  });
}

/** Closes an account: ends its sessions, codes and resets. Throws USER_NOT_FOUND, PROTECTED_USER. */
export async function deactivateUser(write: AuditedWrite, action: AccountAction): Promise<UserRow> {
  return write(async (tx, note) => {
    const user = await requireSubject(tx, action);
    await endAccountAccess(tx, user);
    note({ before: { isVerified: user.isVerified } });
    return (await setActive(tx, user.id, false)) as UserRow;
  });
}

/** Deletes an account for good; its tickets stay. Throws USER_NOT_FOUND, PROTECTED_USER. */
export async function deleteUser(write: AuditedWrite, action: AccountAction): Promise<void> {
  await write(async (tx, note) => {
    const user = await requireSubject(tx, action);
    await endAccountAccess(tx, user);
    await deleteUserRow(tx, user.id);
    note({ before: { isGuest: user.isGuest, isVerified: user.isVerified } });
  });
}

/** Sets a user's password and ends their sessions. Throws as `activateUser`, and BUSY. For one's own, see `changePassword`. */
export async function resetUserPassword(
  write: AuditedWrite,
  passwords: PasswordHasher,
  action: ExpectingAction & { password: string },
): Promise<UserRow> {
  const hashed = await passwords.hash(action.password);
  return write(async (tx) => {
    const user = await requireSubject(tx, action);
    if (user.isGuest) throw new Failure('PROTECTED_USER', { message: failureSentences.guestHasNoPassword });
    requireUnchanged(user.updatedAt, action.expectedUpdatedAt);
    await endAccountAccess(tx, user);
    return (await setPassword(tx, user.id, hashed)) as UserRow;
  });
}
