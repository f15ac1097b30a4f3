import type * as z from 'zod/mini';
import { isCommonPassword } from '#contract/common-passwords.ts';
import { Failure, failureCatalogue } from '#contract/failure.ts';
import type { profileForm } from '#contract/own-account.ts';
import type { AuthTools } from '#server/features/entry/codes.ts';
import type { KnownBrowser } from '#server/features/entry/cookies.ts';
import { accountKey, beginAttempt } from '#server/features/entry/sign-in-attempts.ts';
import { endAccountAccess } from '#server/features/entry/store.ts';
import { findUser, lockUser, saveProfile, setPassword, type UserRow } from '#server/features/users/store.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import type { Caller } from '#server/http/guards.ts';

export type PasswordTools = Pick<AuthTools, 'db' | 'passwords' | 'limits'>;

/**
 * Compares a signed-in person's password, with the tries of a sign-in: those of a known browser, or one set for all others. Throws
 * PASSWORD_WRONG with its field, TOO_MANY, BUSY.
 */
async function requirePassword(
  { passwords, limits }: PasswordTools,
  user: UserRow,
  given: { password: string; field: string },
  knownBrowser: KnownBrowser | undefined,
): Promise<void> {
  const succeed = await beginAttempt(limits, accountKey(user), {
    browser: knownBrowser?.knows(user) ? knownBrowser.id : 'session',
  });
  if (!(await passwords.matches(given.password, user.password))) {
    const [, message] = failureCatalogue.PASSWORD_WRONG;
    throw new Failure('PASSWORD_WRONG', { issues: [{ path: given.field, message }] });
  }
  await succeed();
}

/**
 * Sets a person's own password and ends all their sessions, resets and tokens. Throws PASSWORD_WRONG, PASSWORD_COMMON for an
 * administrator, TOO_MANY, BUSY, and NOT_SIGNED_IN if a change of the account ended their session.
 */
export async function changePassword(
  tools: PasswordTools,
  write: AuditedWrite,
  { userId }: Caller,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
  knownBrowser: KnownBrowser | undefined,
): Promise<UserRow> {
  const { db, passwords } = tools;
  const user = await findUser(db, userId);
  if (!user) throw new Failure('NOT_SIGNED_IN');
  await requirePassword(tools, user, { password: currentPassword, field: 'currentPassword' }, knownBrowser);
  if (user.isAdmin && isCommonPassword(newPassword)) {
    const [, message] = failureCatalogue.PASSWORD_COMMON;
    throw new Failure('PASSWORD_COMMON', { issues: [{ path: 'newPassword', message }] });
  }
  const hashed = await passwords.hash(newPassword);
  return write(async (tx, note) => {
    note({ target: userId });
    const now = await lockUser(tx, userId);
    if (!now || now.password !== user.password || now.isAdmin !== user.isAdmin || now.deactivatedAt)
      throw new Failure('NOT_SIGNED_IN');
    await endAccountAccess(tx, now);
    return (await setPassword(tx, userId, hashed)) as UserRow;
  });
}

/**
 * Changes a person's own name and e-mail address. The audit log gets the names of the changed fields, without values. Throws
 * NOT_SIGNED_IN if a change of the account ended the session.
 */
export async function changeProfile(
  write: AuditedWrite,
  { userId }: Caller,
  profile: z.output<typeof profileForm>,
): Promise<UserRow> {
  return write(async (tx, note) => {
    const user = await lockUser(tx, userId);
    if (!user || user.deactivatedAt) throw new Failure('NOT_SIGNED_IN');
    const changed = (['firstName', 'lastName', 'email'] as const).filter((field) => profile[field] !== user[field]);
    note({ target: userId, details: { changed: changed.join(', ') }, unchanged: changed.length === 0 });
    return changed.length === 0 ? user : saveProfile(tx, user, profile);
  });
}
