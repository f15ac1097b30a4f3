import { type Argon2Parameters, argon2, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { opaque } from '#contract/shapes.ts';
import { concurrencyLimit } from '#server/http/concurrency-limit.ts';

/** Hashing passwords, 20 to 100 ms of a processor each. */
export const hashLimits = {
  /** With one image decoder, this leaves one of the four threads that files and DNS need. */
  atOnce: 2,
  /** A second or two of waiting; further callers get a Retry-After. */
  waiting: 24,
  retryAfterSeconds: 3,
} as const;

const derive = promisify(argon2) as unknown as (algorithm: 'argon2id', parameters: Argon2Parameters) => Promise<Buffer>;

/** argon2id as OWASP's password storage cheat sheet asks at least: 19 MiB of memory, 2 passes, 1 lane. */
const productCost = { memory: 19_456, passes: 2, parallelism: 1 };
/** The cost of a hash: memory in KiB, passes, lanes. */
export type PasswordCost = typeof productCost;

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

const encode = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');

/** Hashes and compares passwords, a few at a time: each takes a thread of the pool that files and DNS need. */
export interface PasswordHasher {
  /** A salted hash, as a PHC string: $argon2id$v=19$m=…,t=…,p=…$salt$hash. Throws BUSY when too many wait. */
  hash(password: string): Promise<string>;
  /** Whether the password matches the hash; without a hash false, in the same time. Throws BUSY when too many wait. */
  matches(password: string, hashed: string | null | undefined): Promise<boolean>;
}

/** Tests hash at a lower cost than the product. */
export function openPasswordHasher(cost = productCost): PasswordHasher {
  const inTurn = concurrencyLimit(hashLimits);
  return {
    hash: (password) => inTurn(() => hashPassword(password, cost)),
    matches: (password, hashed) => inTurn(() => isPassword(password, hashed, cost)),
  };
}

/** As the hasher's `hash`, without its queue: for commands and tests. */
export async function hashPassword(password: string, cost = productCost): Promise<string> {
  const nonce = randomBytes(16);
  const hash = await derive('argon2id', { message: opaque(password), nonce, tagLength: 32, ...cost });
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${encode(nonce)}$${encode(hash)}`;
}

/** As the hasher's `matches`, without its queue. */
export async function isPassword(
  password: string,
  hashed: string | null | undefined,
  cost = productCost,
): Promise<boolean> {
  const [, memory, passes, parallelism, salt, hash] = phc.exec(hashed ?? '') ?? [];
  const expected = Buffer.from(hash ?? '', 'base64');
  const actual = await derive('argon2id', {
    message: opaque(password),
    nonce: salt ? Buffer.from(salt, 'base64') : Buffer.alloc(16),
    tagLength: expected.length || 32,
    memory: memory ? Number(memory) : cost.memory,
    passes: passes ? Number(passes) : cost.passes,
    parallelism: parallelism ? Number(parallelism) : cost.parallelism,
  });
  return expected.length > 0 && timingSafeEqual(actual, expected);
}

/** A password of 14 characters that are not confused when copied by hand: about 70 bits. */
export function inventPassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
  return Array.from({ length: 14 }, () => letters[randomInt(letters.length)]).join('');
}
