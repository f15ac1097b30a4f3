import { Failure } from '#contract/failure.ts';
import type { Db } from '#server/database/connect.ts';
import type { Call } from '#server/database/statement.ts';
import { signInLimits } from '#server/process/limits.ts';
import { type AttemptCounter, forgetAttemptsFrom, giveAttemptBack, takeAttempts } from './attempt-store.ts';

/** Where a sign-in comes from. */
export interface Source {
  /** Key of the caller's address. */
  address: string;
  /** The browser, where it signed in to this account before. */
  device: string | undefined;
}

/** Under which the failures of everybody who does not know an account are counted, and of an address whatever the account. */
const any = 'any';

/**
 * What a try at an account counts under. A browser that the account knows has an allowance of its own: whatever strangers
 * do, its owner waits for nobody.
 */
function countersOf(account: string, { address, device }: Source): AttemptCounter[] {
  if (device) return [{ account, source: `device:${device}`, pace: signInLimits.browser }];
  const fromHere = `address:${address}`;
  return [
    { account, source: fromHere, pace: signInLimits.browser },
    { account: any, source: fromHere, pace: signInLimits.address },
    { account, source: any, pace: signInLimits.account },
  ];
}

/**
 * Counts a try before it is made, so that a burst of them gains nothing. Throws TOO_MANY with the seconds to wait, and the
 * try is not made.
 */
export async function beginAttempt(db: Db, account: string, source: Source): Promise<void> {
  const wait = await takeAttempts(db, countersOf(account, source));
  if (wait > 0) throw new Failure('TOO_MANY', { retryAfter: Math.ceil(wait) });
}

/** The try was the owner's: from here nothing is held against it, and the others' failures stay counted. */
export function succeed(account: string, source: Source): Call<never>[] {
  const [own, ...shared] = countersOf(account, source);
  return [...(own ? [forgetAttemptsFrom(own)] : []), ...shared.map(giveAttemptBack)];
}

/** The try was at another account of the same name: it does not count. */
export function withdraw(account: string, source: Source): Call<never>[] {
  return countersOf(account, source).map(giveAttemptBack);
}
