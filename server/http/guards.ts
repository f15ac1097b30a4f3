import type { FastifyRequest } from 'fastify';
import type { Access } from '#contract/endpoint.ts';
import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';

/** The owner of the request's session, a guest too, as the database has them now. */
export interface Caller {
  userId: number;
  isGuest: boolean;
  isVerified: boolean;
  isAdmin: boolean;
  countryCode: string;
  /** Primary key of the session's row. */
  sid: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The session's person, looked up once per request; `undefined` when signed out. The cookie alone decides. */
    findCaller(): Promise<Caller | undefined>;
    /** Whether nothing of this person or their session was heard to change since `findCaller` looked them up. */
    callerUnchanged(caller: Caller): boolean;
    /** Has `findCaller` look again. */
    forgetCaller(): void;
  }
}

/** What a handler knows of its caller, once `requireAccess` let them in. */
export type CallerFor<A extends Access> = A extends 'anyone' ? undefined : Caller;

/** Checks the caller against an endpoint's `access` (in `contract/`). Throws NOT_SIGNED_IN (401), or GUEST, PHONE_NOT_VERIFIED, FORBIDDEN (403). */
export async function requireAccess<A extends Access>(request: FastifyRequest, access: A): Promise<CallerFor<A>> {
  if (access === 'anyone') return undefined as CallerFor<A>;
  const caller = await request.findCaller();
  if (!caller) throw new Failure('NOT_SIGNED_IN');
  if (access === 'admin' && !caller.isAdmin) throw new Failure('FORBIDDEN');
  if (access === 'verified' && caller.isGuest) throw new Failure('GUEST');
  if (access === 'verified' && !caller.isVerified && !caller.isAdmin)
    throw new Failure('PHONE_NOT_VERIFIED', { message: failureSentences.verifyFirst });
  return caller as CallerFor<A>;
}

/** As `requireAccess`, when the body has come: by the rights that the caller has now, and not by those they began it with. */
export async function recheckAccess<A extends Access>(request: FastifyRequest, access: A): Promise<CallerFor<A>> {
  const before = access === 'anyone' ? undefined : await request.findCaller();
  if (before && !request.callerUnchanged(before)) request.forgetCaller();
  return requireAccess(request, access);
}

/** A list that belongs to a user is theirs; an administrator may read it. Throws FORBIDDEN. */
export function requireSelfOrAdmin(caller: Caller, userId: number): void {
  if (caller.userId !== userId && !caller.isAdmin) throw new Failure('FORBIDDEN');
}

/**
 * Refuses a call that a browser sends from another site (Sec-Fetch-Site, else Origin), a read of the API too: it may write a
 * line of the audit log, or a file onto the disk. A caller that sends neither header is no browser, and carries no one's
 * cookies without meaning to; nor do those of `fromMachines`. Throws CROSS_SITE.
 */
export function refuseCrossSite(request: FastifyRequest, publicOrigin: string | undefined): void {
  const { endpoint } = request.routeOptions.config;
  if (endpoint ? endpoint.fromMachines : /^(?:GET|HEAD|OPTIONS)$/.test(request.method)) return;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) {
    if (site !== 'same-origin' && site !== 'none') throw new Failure('CROSS_SITE');
    return;
  }
  const { origin } = request.headers;
  if (origin !== undefined && origin !== (publicOrigin ?? `${request.protocol}://${request.host}`))
    throw new Failure('CROSS_SITE');
}
