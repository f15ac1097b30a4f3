import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Cookies } from '#server/features/sessions/session-cookie.ts';
import type { UserRow } from '#server/features/users/store.ts';
import { signInLimits } from '#server/process/limits.ts';

type Account = Pick<UserRow, 'id' | 'password'>;

/** A browser that was signed in to some accounts before. */
export interface Device {
  id: string;
  /** Whether this browser signed in to the account since its present password was set. */
  knows(user: Account): boolean;
}

/** Hexadecimal digits of a stamp: 64 bits. */
const stampDigits = 16;

/**
 * The cookie of a browser that signed in before: random bits of its own, and the ids of its accounts with a stamp of the
 * password that each had then, signed. It opens nothing; it only keeps strangers' failures from being the owner's (OWASP's
 * "device cookies"). With another password the account knows the browser no more.
 */
export function deviceCookie(cookies: Cookies, secret: string) {
  const { name, options } = cookies.own('guichet_device');
  const hmac = (text: string) => createHmac('sha256', secret).update(text);
  const sign = (text: string) => hmac(`device|${text}`).digest('base64url');
  const entryOf = ({ id, password }: Account) =>
    `${id}-${hmac(`stamp|${id}|${password}`).digest('hex').slice(0, stampDigits)}`;

  function readEntries(request: FastifyRequest): { id: string; entries: string[] } | undefined {
    const [id = '', entries = '', signature = ''] = request.cookies[name]?.split('.') ?? [];
    return isSame(signature, sign(`${id}.${entries}`)) ? { id, entries: entries.split('_') } : undefined;
  }
  return {
    read(request: FastifyRequest): Device | undefined {
      const known = readEntries(request);
      if (!known) return undefined;
      const { id, entries } = known;
      return {
        id,
        knows: (user) => user.password !== null && entries.some((entry) => isSame(entry, entryOf(user))),
      };
    },
    /** Notes that the account's present password was proven here. */
    add(request: FastifyRequest, reply: FastifyReply, user: Account): void {
      const known = readEntries(request);
      const others = known?.entries.filter((entry) => !entry.startsWith(`${user.id}-`)) ?? [];
      const entries = [entryOf(user), ...others].slice(0, signInLimits.accountsPerDevice);
      const text = `${known?.id ?? randomBytes(16).toString('base64url')}.${entries.join('_')}`;
      reply.setCookie(name, `${text}.${sign(text)}`, { ...options, maxAge: signInLimits.deviceCookieSeconds });
    },
  };
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
