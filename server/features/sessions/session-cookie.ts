import { createHash, randomBytes } from 'node:crypto';
import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '#contract/failure.ts';
import type { Db } from '#server/database/connect.ts';
import type { Caller } from '#server/http/guards.ts';
import { sessionLimits } from '#server/process/limits.ts';
import { createSession, deleteSession, findSessionCaller, type Proven, renewSession } from './store.ts';

export interface Cookies {
  /** Opens a session under a new id, in place of the one the request came with. Throws CREDENTIALS if its proof is void. */
  openSession(request: FastifyRequest, reply: FastifyReply, user: Proven): Promise<void>;
  /** Ends the request's session, if it has one. */
  closeSession(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Name and options for another cookie of ours, under the same protections. */
  own(name: string): { name: string; options: CookieSerializeOptions };
}

/** The session cookie's name, before what https adds to it. */
export const sessionCookie = 'guichet_session';

const hash = (id: string) => createHash('sha256').update(id).digest('hex');

/** Ids are 256 random bits; the database knows their SHA-256 only. With https the cookie is bound to the host. */
export function registerSessions(app: FastifyInstance, { db, https }: { db: Db; https: boolean }): Cookies {
  const own = (name: string) => ({
    name: https ? `__Host-${name}` : name,
    options: { path: '/', httpOnly: true, sameSite: 'lax', secure: https } satisfies CookieSerializeOptions,
  });
  const cookie = own(sessionCookie);
  const write = (reply: FastifyReply, id: string, isAdmin: boolean) => {
    const maxAge = isAdmin ? sessionLimits.adminSeconds : sessionLimits.userSeconds;
    reply.setCookie(cookie.name, id, { ...cookie.options, maxAge });
  };

  const callers = new WeakMap<FastifyRequest, Promise<Caller | undefined>>();
  const renewals = new WeakSet<FastifyRequest>();
  async function readSession(request: FastifyRequest): Promise<Caller | undefined> {
    const id = request.cookies[cookie.name];
    if (!id || id.length > sessionLimits.cookieCharacters) return undefined;
    const found = await findSessionCaller(db, hash(id));
    if (!found) return undefined;
    const { renew, ...caller } = found;
    if (renew) {
      await renewSession(db, caller.sid);
      renewals.add(request);
    }
    return caller;
  }

  app.decorateRequest('findCaller', function (this: FastifyRequest) {
    const known = callers.get(this) ?? readSession(this);
    callers.set(this, known);
    return known;
  });
  app.addHook('onSend', async (request, reply) => {
    const id = request.cookies[cookie.name];
    if (id && renewals.has(request) && !reply.hasHeader('set-cookie')) write(reply, id, false);
  });

  return {
    async openSession(request, reply, user) {
      const previous = request.cookies[cookie.name];
      if (previous) await deleteSession(db, hash(previous));
      const id = randomBytes(32).toString('base64url');
      if (!(await createSession(db, hash(id), user))) throw new Failure('CREDENTIALS');
      callers.set(request, Promise.resolve(await findSessionCaller(db, hash(id))));
      write(reply, id, user.isAdmin);
    },
    async closeSession(request, reply) {
      const id = request.cookies[cookie.name];
      if (id) await deleteSession(db, hash(id));
      reply.clearCookie(cookie.name, cookie.options);
    },
    own,
  };
}
