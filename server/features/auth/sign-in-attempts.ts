import { createHash } from 'node:crypto';
import { Failure } from '#contract/failure.ts';
import type { UserRow } from '#server/features/users/store.ts';
import type { Limits } from '#server/http/rate-limits.ts';

/** What the failed sign-ins of an account are counted under. */
export const accountKey = (user: Pick<UserRow, 'id'>) => `user-${user.id}`;

/** The same of a name that is no account's, which is answered as if it were one. */
export const unknownNameKey = (name: string) => `name-${createHash('sha256').update(name).digest('hex')}`;

/**
 * Takes a try before a password is compared: five of an account and an address, two hundred of an address, a hundred a day
 * of an account. A browser that the account knows (`browser`) has its own five, and waits for nobody else. Throws TOO_MANY,
 * or RESET_NEEDED after the hundred. The answered function takes the failure back, once the password was right.
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
  // Looked at first, so that those who are sent to the reset use up nothing; taken last, so that one address cannot use it up.
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
