import { Failure } from '#contract/failure.ts';
import { type Db, violatedConstraint } from '#server/database/connect.ts';
import { hashPassword } from './password.ts';
import { deleteUser, endAccess, findUserByEmail, lockUser, setActive, setPassword, type UserRow } from './store.ts';

interface Change {
  actorId: number;
  userId: number;
}

/** The user an administrator may act on. Throws USER_NOT_FOUND, or PROTECTED_USER for an administrator or oneself. */
async function requireSubject(db: Db, { actorId, userId }: Change): Promise<UserRow> {
  const user = await lockUser(db, userId);
  if (!user) throw new Failure('USER_NOT_FOUND', { message: 'Utilisateur introuvable.' });
  if (user.isAdmin || user.id === actorId) throw new Failure('PROTECTED_USER');
  return user;
}

/** Sets another password and ends the account's sessions. An administrator may reset their own, and no colleague's. */
export async function resetUserPassword(db: Db, change: Change & { password: string }): Promise<UserRow> {
  const hashed = await hashPassword(change.password);
  return db.transaction(async (tx) => {
    const own = change.actorId === change.userId ? await lockUser(tx, change.userId) : undefined;
    const user = own ?? (await requireSubject(tx, change));
    if (user.isGuest) throw new Failure('PROTECTED_USER', { message: "Un invité n'a pas de mot de passe." });
    await endAccess(tx, user);
    return (await setPassword(tx, user.id, hashed)) as UserRow;
  });
}

/** Closes an account: whoever is signed in to it is out at once, and no code or reset opens it again. */
export async function deactivateUser(db: Db, change: Change): Promise<UserRow> {
  return db.transaction(async (tx) => {
    const user = await requireSubject(tx, change);
    await endAccess(tx, user);
    return (await setActive(tx, user.id, false)) as UserRow;
  });
}

/** Opens an account, as verified. Throws EMAIL_TAKEN when its e-mail now belongs to somebody verified. */
export async function activateUser(db: Db, change: Change): Promise<UserRow> {
  return db
    .transaction(async (tx) => {
      const user = await requireSubject(tx, change);
      if (user.isGuest) throw new Failure('PROTECTED_USER', { message: 'Un invité ne peut pas être vérifié.' });
      const owner = user.email ? await findUserByEmail(tx, user.email) : undefined;
      if (owner && owner.id !== user.id) throw new Failure('EMAIL_TAKEN');
      return (await setActive(tx, user.id, true)) as UserRow;
    })
    .catch((error: unknown) => {
      throw violatedConstraint(error) === 'users_email_once' ? new Failure('EMAIL_TAKEN') : error;
    });
}

/** Deletes an account for good; its tickets stay. */
export async function removeUser(db: Db, change: Change): Promise<void> {
  await db.transaction(async (tx) => {
    const user = await requireSubject(tx, change);
    await endAccess(tx, user);
    await deleteUser(tx, user.id);
  });
}
