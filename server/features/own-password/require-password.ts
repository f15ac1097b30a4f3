import { Failure, failureCatalogue } from '#contract/failure.ts';
import { accountKey } from '#server/features/auth/account-key.ts';
import type { AuthTools } from '#server/features/auth/codes.ts';
import type { From } from '#server/features/auth/sign-in.ts';
import { beginAttempt, recordSuccess } from '#server/features/auth/sign-in-attempts.ts';
import type { UserRow } from '#server/features/users/store.ts';

export type PasswordTools = Pick<AuthTools, 'db' | 'passwords' | 'limited'>;

/**
 * Compares a password with the person's own, counted as a sign-in is: a wrong one stays counted. Throws PASSWORD_WRONG with
 * its field, TOO_MANY with the seconds until the next try, BUSY.
 */
export async function requirePassword(
  { db, passwords, limited }: PasswordTools,
  user: UserRow,
  given: { password: string; field: string },
  { address, device }: From,
): Promise<void> {
  const source = { address, device: device?.knows(user) ? device.id : undefined };
  const begun = limited ? await beginAttempt(db, accountKey(user), source) : { counted: [] };
  if ('wait' in begun) throw new Failure('TOO_MANY', { retryAfter: Math.ceil(begun.wait) });
  if (!(await passwords.matches(given.password, user.password))) {
    const [, message] = failureCatalogue.PASSWORD_WRONG;
    throw new Failure('PASSWORD_WRONG', { issues: [{ path: given.field, message }] });
  }
  if (limited) await db.ask(...recordSuccess(begun.counted));
}
