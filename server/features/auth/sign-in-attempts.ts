import type { Db } from '#server/database/connect.ts';
import type { Query } from '#server/database/statement.ts';
import { signInLimits } from '#server/process/limits.ts';
import { type AttemptCounter, forgetAttemptsFrom, giveAttemptBack, type Taken, takeAttempts } from './attempt-store.ts';

/** Where a sign-in comes from. */
export interface Source {
  /** Key of the caller's address. */
  address: string;
  /** The browser, where it signed in to this account before. */
  device: string | undefined;
}

/** The key of an address over all accounts, and of an account over all browsers that it does not know. */
const any = 'any';

/**
 * What a try at an account counts under, the source's own first. A known browser has an allowance of its own, so that
 * strangers never delay the owner. The first tries of other sources count apart from their further ones. A newcomer does
 * not queue behind long-time guessers.
 */
function countersOf(account: string, { address, device }: Source): AttemptCounter[] {
  if (device) return [{ account, source: `device:${device}`, pace: signInLimits.browser }];
  const fromHere = `address:${address}`;
  return [
    { account, source: fromHere, pace: signInLimits.browser },
    { account: any, source: fromHere, pace: signInLimits.address },
    { account, source: 'new', pace: signInLimits.newcomers, upTo: signInLimits.triesAsNewcomer },
    { account, source: any, pace: signInLimits.account, above: signInLimits.triesAsNewcomer },
  ];
}

/** Counts a try before it is made, so that a burst of them gains nothing; or says how long to wait, and it is not made. */
export function beginAttempt(db: Db, account: string, source: Source): Promise<Taken> {
  return takeAttempts(db, countersOf(account, source));
}

/** The try was the owner's: from here nothing is held against it, and the others' failures stay counted. */
export function recordSuccess([own, ...shared]: readonly AttemptCounter[]): Query<never>[] {
  return [...(own ? [forgetAttemptsFrom(own)] : []), ...shared.map(giveAttemptBack)];
}
