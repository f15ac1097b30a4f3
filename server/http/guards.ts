import type { FastifyRequest } from 'fastify';
import type { Access } from '#contract/endpoint.ts';
import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';

/** The current data of the session's owner, who may be a guest. */
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
    /** Whether the change feed has reported no change of this person or session since `findCaller` read them. */
    callerUnchanged(caller: Caller): boolean;
    /** Makes `findCaller` read again. */
    forgetCaller(): void;
  }
}

/** The caller as a handler gets it, after `requireAccess`. */
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

/** As `requireAccess`, once the body has arrived: the rights may have changed meanwhile. */
export async function recheckAccess<A extends Access>(request: FastifyRequest, access: A): Promise<CallerFor<A>> {
  const before = access === 'anyone' ? undefined : await request.findCaller();
  if (before && !request.callerUnchanged(before)) request.forgetCaller();
  return requireAccess(request, access);
}

/** Allows a user's own list to that user and to administrators. Throws FORBIDDEN for others. */
export function requireSelfOrAdmin(caller: Caller, userId: number): void {
  if (caller.userId !== userId && !caller.isAdmin) throw new Failure('FORBIDDEN');
}

/**
 * Refuses calls that a browser sends from another site, by Sec-Fetch-Site, else Origin. API reads are refused too: they may write an
 * audit entry or a file. A caller without these headers is no browser, so it sends no one's cookies by accident. Calls of `fromMachines`
 * endpoints are exempt. Throws CROSS_SITE.
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
