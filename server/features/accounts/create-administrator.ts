import type { Db } from '#server/database/connect.ts';
import { insertAuditEntry } from '#server/features/audit/store.ts';
import { inventPassword } from '#server/features/users/invent-password.ts';
import { hashPassword } from '#server/features/users/password.ts';
import { findUserByPhone, insertAdministrator, type UserRow } from '#server/features/users/store.ts';

/** Whom a number belongs to already. */
export interface Taken {
  taken: UserRow;
}

/**
 * Makes an administrator with an invented password, and says so in the audit log, all or nothing. A number that has an account
 * keeps it as it is: then that account is answered.
 */
export async function createAdministrator(
  db: Db,
  person: { phone: string; firstName: string; lastName: string },
): Promise<{ user: UserRow; password: string } | Taken> {
  const password = inventPassword();
  const hashed = await hashPassword(password);
  return db.transaction(async (tx) => {
    const user = await insertAdministrator(tx, { ...person, password: hashed });
    if (!user) return { taken: (await findUserByPhone(tx, person.phone)) as UserRow };
    await insertAuditEntry(tx, { action: 'admin_create', target: String(user.id), status: 200, ip: 'local' });
    return { user, password };
  });
}
