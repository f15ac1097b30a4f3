import { createHash, randomBytes } from 'node:crypto';
import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '#contract/failure.ts';
import type { SessionCache } from '#server/cache/session-cache.ts';
import type { Db } from '#server/database/connect.ts';
import { concurrencyLimit } from '#server/http/concurrency-limit.ts';
import type { Caller } from '#server/http/guards.ts';
import { lookLimits } from '#server/http/limits.ts';
import { sessionLimits } from './limits.ts';
import { createSession, deleteSession, findSessionCaller, type Proven, renewSession } from './sessions-store.ts';

export interface Cookies {
  /** Opens a session under a new id, in place of the request's. Throws CREDENTIALS if the account changed since the proof. */
  openSession(request: FastifyRequest, reply: FastifyReply, user: Proven): Promise<void>;
  /** Ends the request's session, if it has one. */
  closeSession(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Name and options of another cookie, with the same protections. */
  own(name: string): { name: string; options: CookieSerializeOptions };
}

/** The session cookie's name, before what https adds to it. */
export const sessionCookie = 'guichet_session';

/** A cookie's name; with https browsers bind it to the host. */
export const cookieName = (name: string, https: boolean): string => (https ? `__Host-${name}` : name);

const hash = (id: string) => createHash('sha256').update(id).digest('hex');

/** A session with more seconds left than this is not renewed. */
const youngSeconds = sessionLimits.userSeconds - sessionLimits.renewAfterSeconds;

/** Ids are 256 random bits; the database knows their SHA-256 only. */
export function registerSessions(
  app: FastifyInstance,
  { db, https, known }: { db: Db; https: boolean; known: SessionCache<Caller> },
): Cookies {
  const own = (name: string) => ({
    name: cookieName(name, https),
    options: { path: '/', httpOnly: true, sameSite: 'lax', secure: https } satisfies CookieSerializeOptions,
  });
  const cookie = own(sessionCookie);
  const write = (reply: FastifyReply, id: string, isAdmin: boolean) => {
    const maxAge = isAdmin ? sessionLimits.adminSeconds : sessionLimits.userSeconds;
    reply.setCookie(cookie.name, id, { ...cookie.options, maxAge });
  };

  const readSession = sessionReader(db, known);
  const callers = new WeakMap<FastifyRequest, Promise<Caller | undefined>>();
  const renewals = new WeakSet<FastifyRequest>();

  app.decorateRequest('findCaller', function (this: FastifyRequest) {
    const known = callers.get(this) ?? readSession(this.cookies[cookie.name], () => renewals.add(this));
    callers.set(this, known);
    return known;
  });
  app.decorateRequest('callerUnchanged', function (this: FastifyRequest, caller: Caller) {
    return known.find(this.cookies[cookie.name] ?? '') === caller;
  });
  app.decorateRequest('forgetCaller', function (this: FastifyRequest) {
    callers.delete(this);
  });
  app.addHook('onSend', (request, reply, _body, done) => {
    const id = request.cookies[cookie.name];
    if (id && renewals.has(request) && !reply.hasHeader('set-cookie')) write(reply, id, false);
    done();
  });

  return {
    async openSession(request, reply, user) {
      const previous = request.cookies[cookie.name];
      const id = randomBytes(32).toString('base64url');
      const opened = await createSession(db, { sid: hash(id), previous: previous && hash(previous), user });
      if (!opened) throw new Failure('CREDENTIALS');
      callers.set(request, Promise.resolve(opened));
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

/** Reads the person of a session's id, from memory or the database, and renews a session that is no longer young. */
function sessionReader(db: Db, known: SessionCache<Caller>) {
  const inTurn = concurrencyLimit(lookLimits);
  return async (id: string | undefined, onRenewed: () => void): Promise<Caller | undefined> => {
    if (!id || id.length > sessionLimits.cookieCharacters) return undefined;
    let isOld = false;
    const caller = await known.read(id, async () => {
      const found = await inTurn(() => findSessionCaller(db, hash(id)));
      if (!found) return undefined;
      const { secondsLeft, ...person } = found;
      if (person.isAdmin) return { person, secondsLeft };
      isOld = secondsLeft < youngSeconds;
      return { person, secondsLeft: secondsLeft - youngSeconds };
    });
    if (caller && isOld) {
      await renewSession(db, caller.sid);
      onRenewed();
    }
    return caller;
  };
}
