import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Cookies } from '#server/features/sessions/session-cookie.ts';
import { signInLimits } from '#server/process/limits.ts';

/** A browser, and the accounts that were signed in to with it, the last first. */
export interface Device {
  id: string;
  userIds: readonly number[];
}

/**
 * The cookie of a browser that signed in before: random bits of its own and the ids of its accounts, signed. It opens
 * nothing; it only keeps strangers' failures from being the owner's (OWASP's "device cookies").
 */
export function deviceCookie(cookies: Cookies, secret: string) {
  const { name, options } = cookies.own('guichet_device');
  const sign = (text: string) => createHmac('sha256', secret).update(`device|${text}`).digest('base64url');
  function read(request: FastifyRequest): Device | undefined {
    const [id = '', accounts = '', signature = ''] = request.cookies[name]?.split('.') ?? [];
    const expected = Buffer.from(sign(`${id}.${accounts}`));
    const given = Buffer.from(signature);
    if (expected.length !== given.length || !timingSafeEqual(expected, given)) return undefined;
    return { id, userIds: accounts.split('-').map(Number) };
  }
  return {
    read,
    /** Notes that somebody signed in here. */
    add(request: FastifyRequest, reply: FastifyReply, userId: number): void {
      const known = read(request);
      const userIds = [userId, ...(known?.userIds ?? []).filter((each) => each !== userId)];
      const text = `${known?.id ?? randomBytes(16).toString('base64url')}.${userIds.slice(0, signInLimits.accountsPerDevice).join('-')}`;
      reply.setCookie(name, `${text}.${sign(text)}`, { ...options, maxAge: signInLimits.deviceCookieSeconds });
    },
  };
}
