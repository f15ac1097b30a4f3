import pLimit from 'p-limit';
import { Failure } from '#contract/failure.ts';

/** Lets so many through at once and keeps some waiting, so that strangers never take all connections. Throws BUSY. */
export function concurrencyLimit({
  atOnce,
  waiting,
  retryAfterSeconds,
}: {
  atOnce: number;
  waiting: number;
  retryAfterSeconds: number;
}) {
  const inTurn = pLimit(atOnce);
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (inTurn.pendingCount >= waiting) throw new Failure('BUSY', { retryAfter: retryAfterSeconds });
    return inTurn(work);
  };
}
