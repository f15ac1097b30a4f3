import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Cookies } from '#server/features/sessions/session-cookie.ts';
import { codeLimits } from '#server/process/limits.ts';
import type { Flow, Purpose } from './store.ts';

/** The cookie that ties a code to the browser that asked for it: the flow's id, signed. One per purpose. */
export function flowCookies(cookies: Cookies, secret: string) {
  const sign = (id: string) => createHmac('sha256', secret).update(`flow|${id}`).digest('base64url');
  return {
    set(reply: FastifyReply, flow: Flow): void {
      const { name, options } = cookies.own(`guichet_${flow.purpose}`);
      reply.setCookie(name, `${flow.id}.${sign(flow.id)}`, { ...options, maxAge: codeLimits.flowCookieSeconds });
    },
    /** The flow id of the caller's cookie; `undefined` without one, or with one we did not sign. */
    read(request: FastifyRequest, purpose: Purpose): string | undefined {
      const [id = '', signature = ''] = request.cookies[cookies.own(`guichet_${purpose}`).name]?.split('.') ?? [];
      const expected = Buffer.from(sign(id));
      const given = Buffer.from(signature);
      return expected.length === given.length && timingSafeEqual(expected, given) ? id : undefined;
    },
    clear(reply: FastifyReply, purpose: Purpose): void {
      const { name, options } = cookies.own(`guichet_${purpose}`);
      reply.clearCookie(name, options);
    },
  };
}
