import pLimit from 'p-limit';
import { Failure, type FailureCode } from '#contract/failure.ts';

/**
 * Runs `atOnce` calls at a time and lets `waiting` wait, so that such calls never take all connections. Throws BUSY, or `code`, beyond
 * that.
 */
export function concurrencyLimit({
  atOnce,
  waiting,
  retryAfterSeconds,
  code = 'BUSY',
}: {
  atOnce: number;
  waiting: number;
  retryAfterSeconds: number;
  code?: FailureCode;
}) {
  const inTurn = pLimit(atOnce);
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (inTurn.pendingCount >= waiting) throw new Failure(code, { retryAfter: retryAfterSeconds });
    return inTurn(work);
  };
}
