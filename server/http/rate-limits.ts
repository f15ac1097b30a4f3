import type pg from 'pg';
import { RateLimiterPostgres, type RateLimiterRes } from 'rate-limiter-flexible';
import { Failure } from '#contract/failure.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * How often, per key and period in seconds. Counted in PostgreSQL, so that a restart or a second process forgets nothing.
 * The limits by address are wide: a mobile operator puts thousands of people behind one (carrier-grade NAT).
 */
const limits = {
  codesSentPerAddress: { points: 60, duration: hour },
  codesFailedPerAddress: { points: 120, duration: hour },
  /** Key: purpose and phone. With three tries per code, a day's chance of guessing one number's code is 1 in 1,000. */
  codesFailedPerPhone: { points: 10, duration: day },
  signInsFailedPerAccount: { points: 10, duration: 15 * minute },
  signInsFailedPerAddress: { points: 200, duration: 15 * minute },
  guestsPerAddress: { points: 120, duration: hour },
  startersPerAddress: { points: 600, duration: hour },
} as const;

/** What counts as one address: an IPv6 subscriber is handed a whole /64, so its first four groups. */
export function addressKey(ip: string): string {
  if (!ip.includes(':') || ip.includes('.')) return ip;
  const [head = '', tail = ''] = ip.split('::');
  const before = head.split(':').filter(Boolean);
  const after = tail.split(':').filter(Boolean);
  const zeros = ip.includes('::') ? Array.from({ length: 8 - before.length - after.length }, () => '0') : [];
  return [...before, ...zeros, ...after].slice(0, 4).join(':');
}

export type LimitName = keyof typeof limits;

export interface Limits {
  /** Takes one point; throws TOO_MANY with the seconds to wait when none is left. */
  consume(name: LimitName, key: string): Promise<void>;
  /** Throws TOO_MANY when no point is left, and takes none. */
  check(name: LimitName, key: string): Promise<void>;
  /** Gives one point back: what looked like an attempt was a success. */
  giveBack(name: LimitName, key: string): Promise<void>;
  /** Forgets the key. */
  clear(name: LimitName, key: string): Promise<void>;
}

/** The limits of one server, or none of them where `on` is false. */
export function createLimits(pool: pg.Pool, on: boolean): Limits {
  const limiters = new Map(
    Object.entries(limits).map(([name, limit]) => [
      name,
      new RateLimiterPostgres({
        storeClient: pool,
        storeType: 'pool',
        tableName: 'rate_limits',
        tableCreated: true,
        clearExpiredByTimeout: false,
        keyPrefix: name,
        ...limit,
      }),
    ]),
  );
  const limiter = (name: LimitName) => limiters.get(name) as RateLimiterPostgres;
  if (!on) return { consume: async () => {}, check: async () => {}, giveBack: async () => {}, clear: async () => {} };
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
    async clear(name, key) {
      await limiter(name).delete(key);
    },
  };
}

function refusal(reason: unknown): unknown {
  if (reason instanceof Error) return reason;
  const { msBeforeNext } = reason as RateLimiterRes;
  return new Failure('TOO_MANY', { retryAfter: Math.max(1, Math.ceil(msBeforeNext / 1000)) });
}
