import { createHash } from 'node:crypto';
import { Failure } from '#contract/failure.ts';
import type { UserRow } from '#server/features/users/store.ts';
import type { Limits } from '#server/http/rate-limits.ts';

/** The key for an account's failed sign-ins. */
export const accountKey = (user: Pick<UserRow, 'id'>) => `user-${user.id}`;

/** The key for a name without an account, which gets the same answers. */
export const unknownNameKey = (name: string) => `name-${createHash('sha256').update(name).digest('hex')}`;

/**
 * Takes a try before a password is compared: five per account and address, two hundred per address, a hundred a day per account. A known
 * browser has its own five (`browser` is its key), and other failures do not affect it. Throws TOO_MANY, or RESET_NEEDED after the
 * hundred. The answered function takes the failure back once the password was right.
 */
export async function beginAttempt(
  limits: Limits,
  account: string,
  from: { browser: string } | { address: string },
): Promise<() => Promise<void>> {
  if ('browser' in from) {
    const own = `${account} ${from.browser}`;
    await limits.consume('signInTries', own);
    return () => limits.forget('signInTries', own);
  }
  const { address } = from;
  const own = `${account} ${address}`;
  const asReset = (error: unknown) => {
    const isFull = error instanceof Failure && error.code === 'TOO_MANY';
    throw isFull ? new Failure('RESET_NEEDED', { retryAfter: error.details.retryAfter }) : error;
  };
  // The account's limit is checked first, so that a call that is sent to the reset takes no try. Its point is taken last, so that one
  // address cannot exhaust it.
  await limits.check('signInFailuresPerAccount', account).catch(asReset);
  await limits.consume('signInTries', own);
  await limits.consume('signInFailuresPerAddress', address);
  await limits.consume('signInFailuresPerAccount', account).catch(asReset);
  return async () => {
    await limits.forget('signInTries', own);
    await limits.giveBack('signInFailuresPerAddress', address);
    await limits.giveBack('signInFailuresPerAccount', account);
  };
}
