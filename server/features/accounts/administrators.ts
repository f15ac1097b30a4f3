import type { Db } from '#server/database/connect.ts';
import { insertAuditEntry } from '#server/features/audit/store.ts';
import { accountKey } from '#server/features/entry/sign-in-attempts.ts';
import { endAccountAccess, forgetAttempts } from '#server/features/entry/store.ts';
import { hashPassword, inventPassword } from '#server/features/users/password.ts';
import {
  findUserByPhone,
  insertAdministrator,
  lockAdministrators,
  lockUser,
  setActive,
  setAdministratorRole,
  setPassword,
  type UserRow,
} from '#server/features/users/store.ts';

/**
 * Makes an administrator with a generated password, audited. An existing account keeps its name, gets that password, and loses its
 * sessions. Undefined if the person is an administrator already.
 */
export const createAdministrator = (db: Db, person: { phone: string; firstName: string; lastName: string }) =>
  withNewPassword(
    db,
    'admin_create',
    async (tx, password) =>
      (await insertAdministrator(tx, { ...person, password })) ?? promote(tx, person.phone, password),
  );

async function promote(tx: Db, phone: string, hashed: string): Promise<UserRow | undefined> {
  const found = await findUserByPhone(tx, phone);
  const user = found && (await lockUser(tx, found.id));
  if (!user || user.isAdmin) return undefined;
  await replacePassword(tx, user, hashed);
  await setActive(tx, user.id, true);
  return setAdministratorRole(tx, user.id, true);
}

async function replacePassword(tx: Db, user: UserRow, hashed: string): Promise<void> {
  await endAccountAccess(tx, user);
  await setPassword(tx, user.id, hashed);
  // Failed sign-ins with the old password do not delay the new one.
  await forgetAttempts(tx, accountKey(user));
}

/** Sets a generated password for the first administrator, or the one with a number; audited. Undefined if there is none. */
export const resetAdministrator = (db: Db, phones?: readonly string[]) =>
  withNewPassword(db, 'admin_reset', async (tx, hashed) => {
    const administrators = await lockAdministrators(tx);
    const user = administrators.find(({ phone }) => !phones || phones.includes(phone));
    if (user) await replacePassword(tx, user, hashed);
    return user;
  });

/** Sets a generated password for the user that `give` answers, audited. */
async function withNewPassword(
  db: Db,
  action: string,
  give: (tx: Db, hashed: string) => Promise<UserRow | undefined>,
): Promise<{ user: UserRow; password: string } | undefined> {
  const password = inventPassword();
  const hashed = await hashPassword(password);
  return db.transaction(async (tx) => {
    const user = await give(tx, hashed);
    if (!user) return undefined;
    await insertAuditEntry(tx, { action, target: String(user.id), ip: 'local' });
    return { user, password };
  });
}

/** Removes the role from the administrator with one of these numbers, and ends their sessions; audited. */
export async function removeAdministrator(db: Db, phones: readonly string[]): Promise<'unknown' | 'last' | UserRow> {
  return db.transaction(async (tx) => {
    const administrators = await lockAdministrators(tx);
    const user = administrators.find(({ phone }) => phones.includes(phone));
    if (!user) return 'unknown';
    if (administrators.length === 1) return 'last';
    await endAccountAccess(tx, user);
    await insertAuditEntry(tx, { action: 'admin_remove', target: String(user.id), ip: 'local' });
    return (await setAdministratorRole(tx, user.id, false)) as UserRow;
  });
}
