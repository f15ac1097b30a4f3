import type pg from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { Failure } from '#contract/failure.ts';
import { type RateLimit, rateLimits } from './limits.ts';

export type LimitName = keyof typeof rateLimits;

export interface Limits {
  /** Takes one point. Throws TOO_MANY with the seconds to wait if none is left. */
  consume(name: LimitName, key: string): Promise<void>;
  /** As `consume`, but takes no point. */
  check(name: LimitName, key: string): Promise<void>;
  /** Gives a point back, when the counted try succeeds. */
  giveBack(name: LimitName, key: string): Promise<void>;
  /** Restores all points and the first wait. */
  forget(name: LimitName, key: string): Promise<void>;
}

/** The limits of one server; with `on` false every call passes. */
export function createLimits(pool: pg.Pool, on: boolean): Limits {
  const nothing = async () => {};
  if (!on) return { consume: nothing, check: nothing, giveBack: nothing, forget: nothing };
  const limiterOf = (keyPrefix: string, { points, seconds }: RateLimit) =>
    new RateLimiterPostgres({
      storeClient: pool,
      storeType: 'pool',
      tableName: 'rate_limits',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix,
      points,
      duration: seconds,
    });
  const limiters = new Map(
    Object.entries<RateLimit>(rateLimits).map(([name, limit]) => [
      name,
      { points: limiterOf(name, limit), waits: limiterOf(`${name}Waits`, limit), limit },
    ]),
  );
  const limiter = (name: LimitName) => limiters.get(name) as NonNullable<ReturnType<typeof limiters.get>>;
  return {
    async consume(name, key) {
      const { points, waits, limit } = limiter(name);
      try {
        await points.consume(key);
      } catch (reason) {
        if (!(reason instanceof RateLimiterRes)) throw reason;
        // The first call beyond the limit starts the wait; later ones share it.
        if (!limit.waits || reason.consumedPoints !== limit.points + 1) throw refusal(reason.msBeforeNext);
        const { consumedPoints: nth } = await waits.penalty(key);
        const seconds = Math.min(limit.waits.mostSeconds, limit.waits.firstSeconds * 2 ** (nth - 1));
        await points.block(key, seconds);
        throw refusal(seconds * 1_000);
      }
    },
    async check(name, key) {
      const state = await limiter(name).points.get(key);
      if (state && state.remainingPoints <= 0) throw refusal(state.msBeforeNext);
    },
    async giveBack(name, key) {
      await limiter(name).points.reward(key);
    },
    async forget(name, key) {
      const { points, waits } = limiter(name);
      await Promise.all([points.delete(key), waits.delete(key)]);
    },
  };
}

function refusal(waitMs: number): Failure {
  return new Failure('TOO_MANY', { retryAfter: Math.max(1, Math.ceil(waitMs / 1_000)) });
}
