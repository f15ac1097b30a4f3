import type { FastifyRequest } from 'fastify';
import type { Caller } from '#contract/endpoint.ts';
import { Failure } from '#contract/failure.ts';

/** The person behind a session, as the database has them now. */
export interface Visitor {
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
    findVisitor(): Promise<Visitor | undefined>;
  }
}

/** What a handler knows of its caller, once `requireCaller` let them in. */
export type VisitorFor<C extends Caller> = C extends 'anyone' ? undefined : Visitor;

/** Lets in the callers an endpoint declares; throws NOT_SIGNED_IN (401), or GUEST, PHONE_NOT_VERIFIED, FORBIDDEN (403). */
export async function requireCaller<C extends Caller>(request: FastifyRequest, caller: C): Promise<VisitorFor<C>> {
  if (caller === 'anyone') return undefined as VisitorFor<C>;
  const visitor = await request.findVisitor();
  if (!visitor) throw new Failure('NOT_SIGNED_IN');
  if (caller === 'admin' && !visitor.isAdmin) throw new Failure('FORBIDDEN');
  if (caller === 'verified' && visitor.isGuest) throw new Failure('GUEST');
  if (caller === 'verified' && !visitor.isVerified && !visitor.isAdmin)
    throw new Failure('PHONE_NOT_VERIFIED', { message: 'Veuillez vérifier votre numéro pour continuer.' });
  return visitor as VisitorFor<C>;
}

/** A list that belongs to a user is theirs; an administrator may read it. Throws FORBIDDEN. */
export function requireSelfOrAdmin(visitor: Visitor, userId: number): void {
  if (visitor.userId !== userId && !visitor.isAdmin) throw new Failure('FORBIDDEN');
}

/**
 * Refuses a write that a browser sends from another site (Sec-Fetch-Site, else Origin). A caller that sends neither
 * header is no browser, and carries no one's cookies without meaning to. Throws CROSS_SITE.
 */
export function refuseCrossSite(request: FastifyRequest, publicOrigin: string | undefined): void {
  if (request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS') return;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) {
    if (site !== 'same-origin' && site !== 'none') throw new Failure('CROSS_SITE');
    return;
  }
  const { origin } = request.headers;
  if (origin !== undefined && origin !== (publicOrigin ?? `${request.protocol}://${request.host}`))
    throw new Failure('CROSS_SITE');
}
