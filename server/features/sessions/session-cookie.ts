import { createHash, randomBytes } from 'node:crypto';
import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '#contract/failure.ts';
import type { Db } from '#server/database/connect.ts';
import type { Visitor } from '#server/http/guards.ts';
import { createSession, deleteSession, findVisitor, type Proven, renewSession, sessionLifetime } from './store.ts';

export interface Cookies {
  /** Opens a session under a new id, in place of the one the request came with. Throws CREDENTIALS if its proof is void. */
  openSession(request: FastifyRequest, reply: FastifyReply, user: Proven): Promise<void>;
  /** Ends the request's session, if it has one. */
  closeSession(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Name and options for another cookie of ours, under the same protections. */
  named(name: string): { name: string; options: CookieSerializeOptions };
}

const hash = (id: string) => createHash('sha256').update(id).digest('hex');

/** Ids are 256 random bits; the database knows their SHA-256 only. With https the cookie is bound to the host. */
export function registerSessions(app: FastifyInstance, { db, https }: { db: Db; https: boolean }): Cookies {
  const named = (name: string) => ({
    name: https ? `__Host-${name}` : name,
    options: { path: '/', httpOnly: true, sameSite: 'lax', secure: https } satisfies CookieSerializeOptions,
  });
  const cookie = named('guichet_session');
  const write = (reply: FastifyReply, id: string, isAdmin: boolean) => {
    const maxAge = isAdmin ? sessionLifetime.admin : sessionLifetime.user;
    reply.setCookie(cookie.name, id, { ...cookie.options, maxAge });
  };

  const visitors = new WeakMap<FastifyRequest, Promise<Visitor | undefined>>();
  const renewals = new WeakSet<FastifyRequest>();
  async function look(request: FastifyRequest): Promise<Visitor | undefined> {
    const id = request.cookies[cookie.name];
    if (!id || id.length > 100) return undefined;
    const found = await findVisitor(db, hash(id));
    if (!found) return undefined;
    const { renew, ...visitor } = found;
    if (renew) {
      await renewSession(db, visitor.sid);
      renewals.add(request);
    }
    return visitor;
  }

  app.decorateRequest('findVisitor', function (this: FastifyRequest) {
    const known = visitors.get(this) ?? look(this);
    visitors.set(this, known);
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
      visitors.set(request, Promise.resolve(await findVisitor(db, hash(id))));
      write(reply, id, user.isAdmin);
    },
    async closeSession(request, reply) {
      const id = request.cookies[cookie.name];
      if (id) await deleteSession(db, hash(id));
      reply.clearCookie(cookie.name, cookie.options);
    },
    named,
  };
}
