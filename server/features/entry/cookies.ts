import { createHmac, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { UserRow } from '#server/features/users/store.ts';
import { isSame } from '#server/process/secret-file.ts';
import { codeLimits, signInLimits } from './limits.ts';
import type { Cookies } from './session-cookie.ts';
import type { Flow, Purpose } from './store.ts';

/** The cookie that ties a code to the browser that asked for it: the flow's id, signed. One per purpose. */
export function flowCookies(cookies: Cookies, secret: string) {
  const sign = (id: string) => createHmac('sha256', secret).update(`flow|${id}`).digest('base64url');
  return {
    set(reply: FastifyReply, flow: Flow): void {
      const { name, options } = cookies.own(`guichet_${flow.purpose}`);
      reply.setCookie(name, `${flow.id}.${sign(flow.id)}`, { ...options, maxAge: codeLimits.flowCookieSeconds });
    },
    /** The flow id of the caller's cookie; `undefined` without a cookie that this server signed. */
    read(request: FastifyRequest, purpose: Purpose): string | undefined {
      const [id = '', signature = ''] = request.cookies[cookies.own(`guichet_${purpose}`).name]?.split('.') ?? [];
      return isSame(signature, sign(id)) ? id : undefined;
    },
    clear(reply: FastifyReply, purpose: Purpose): void {
      const { name, options } = cookies.own(`guichet_${purpose}`);
      reply.clearCookie(name, options);
    },
  };
}

type Account = Pick<UserRow, 'id' | 'password'>;

/** A browser with earlier sign-ins. */
export interface KnownBrowser {
  id: string;
  /** Accounts that signed in here, under their present password or an earlier one. */
  accounts: readonly number[];
  /** Whether this browser signed in to the account since its present password was set. */
  knows(user: Account): boolean;
}

/** Hexadecimal digits of a stamp: 64 bits. */
const stampDigits = 16;

/**
 * The cookie of a known browser: random bits, and each account's id with a stamp of its password, signed. It opens nothing. It keeps
 * other people's failures from counting against the owner (OWASP's "device cookies").
 */
export function knownBrowserCookie(cookies: Cookies, secret: string) {
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
    read(request: FastifyRequest): KnownBrowser | undefined {
      const known = readEntries(request);
      if (!known) return undefined;
      const { id, entries } = known;
      return {
        id,
        accounts: entries.map((entry) => Number.parseInt(entry, 10)).filter(Number.isInteger),
        knows: (user) => user.password !== null && entries.some((entry) => isSame(entry, entryOf(user))),
      };
    },
    /** Records that this browser proved the account's present password. */
    add(request: FastifyRequest, reply: FastifyReply, user: Account): void {
      const known = readEntries(request);
      const others = known?.entries.filter((entry) => !entry.startsWith(`${user.id}-`)) ?? [];
      const entries = [entryOf(user), ...others].slice(0, signInLimits.accountsPerBrowser);
      const text = `${known?.id ?? randomBytes(16).toString('base64url')}.${entries.join('_')}`;
      reply.setCookie(name, `${text}.${sign(text)}`, { ...options, maxAge: signInLimits.knownBrowserCookieSeconds });
    },
  };
}
