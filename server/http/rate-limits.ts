import type pg from 'pg';
import { RateLimiterPostgres, type RateLimiterRes } from 'rate-limiter-flexible';
import { Failure } from '#contract/failure.ts';
import { rateLimits } from '#server/process/limits.ts';

export type LimitName = keyof typeof rateLimits;

export interface Limits {
  /** Takes one point; throws TOO_MANY with the seconds to wait when none is left. */
  consume(name: LimitName, key: string): Promise<void>;
  /** Throws TOO_MANY when no point is left, and takes none. */
  check(name: LimitName, key: string): Promise<void>;
  /** Gives one point back: what looked like an attempt was a success. */
  giveBack(name: LimitName, key: string): Promise<void>;
}

/** The limits of one server, or none of them where `on` is false. */
export function createLimits(pool: pg.Pool, on: boolean): Limits {
  const limiters = new Map(
    Object.entries(rateLimits).map(([name, { points, seconds }]) => [
      name,
      new RateLimiterPostgres({
        storeClient: pool,
        storeType: 'pool',
        tableName: 'rate_limits',
        tableCreated: true,
        clearExpiredByTimeout: false,
        keyPrefix: name,
        points,
        duration: seconds,
      }),
    ]),
  );
  const limiter = (name: LimitName) => limiters.get(name) as RateLimiterPostgres;
  if (!on) return { consume: async () => {}, check: async () => {}, giveBack: async () => {} };
  return {
    async consume(name, key) {
      try {
        await limiter(name).consume(key);
      } catch (reason) {
        throw refusal(reason);
      }
    },
    async check(name, key) {
      const state = await limiter(name).get(key);
      if (state && state.remainingPoints <= 0) throw refusal(state);
    },
    async giveBack(name, key) {
      await limiter(name).reward(key);
    },
  };
}

function refusal(reason: unknown): unknown {
  if (reason instanceof Error) return reason;
  const { msBeforeNext } = reason as RateLimiterRes;
  return new Failure('TOO_MANY', { retryAfter: Math.max(1, Math.ceil(msBeforeNext / 1000)) });
}
