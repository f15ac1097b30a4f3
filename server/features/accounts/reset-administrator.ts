import type { Db } from '#server/database/connect.ts';
import { insertAuditEntry } from '#server/features/audit/store.ts';
import { accountKey } from '#server/features/auth/account-key.ts';
import { endAccountAccess } from '#server/features/auth/end-account-access.ts';
import { forgetAttempts } from '#server/features/auth/store.ts';
import { inventPassword } from '#server/features/users/invent-password.ts';
import { hashPassword } from '#server/features/users/password.ts';
import { lockAdministrators, setPassword, type UserRow } from '#server/features/users/store.ts';

/**
 * Sets an invented password for the first administrator, or the one with one of these numbers, ends their sessions, and says
 * so in the audit log, all or nothing. Answers nothing where there is no such administrator.
 */
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
    await forgetAttempts(tx, { account: accountKey(user) });
    await insertAuditEntry(tx, { action: 'admin_reset', target: String(user.id), status: 200, ip: 'local' });
    return { user, password };
  });
}
