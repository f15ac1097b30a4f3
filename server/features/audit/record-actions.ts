import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Db } from '#server/database/connect.ts';
import { recordAudit } from './store.ts';

/** Calls worth a record whoever makes them: the ways in, and every refusal for lack of rights. */
const entrances = /^\/api\/auth\/(?:signin|verify-otp|verify-reset-otp|reset-password|signout)$/;
/** What may be recorded of a body; never a password, a code, a token or a phone number. */
const recorded = ['status', 'reason', 'isActive', 'slug', 'title', 'name', 'opacity', 'blur', 'backgroundImage'];

/**
 * Records, after the answer: every write of an administrator, every way in, and every 403, with who, what, the answered
 * status and the address; but not what strangers could fill the log with. A record that cannot be written is an error in
 * the log, not a failure of the call.
 */
export function recordActions(app: FastifyInstance, { db }: { db: Db }): void {
  app.addHook('onResponse', async (request, reply) => {
    const { endpoint } = request.routeOptions.config;
    if (!endpoint) return;
    const write = endpoint.caller === 'admin' && endpoint.method !== 'GET';
    const refused = reply.statusCode === 403;
    if (!write && !refused && !entrances.test(endpoint.path)) return;
    try {
      const visitor = await request.findVisitor();
      if (!visitor && isNoise(endpoint.path, reply.statusCode)) return;
      await recordAudit(db, {
        actorId: visitor?.userId ?? null,
        action: `${endpoint.method} ${endpoint.path}`,
        target: targetOf(request),
        details: detailsOf(request),
        status: reply.statusCode,
        ip: request.ip,
      });
    } catch (error) {
      request.log.error({ err: error }, 'audit record failed');
    }
  });
}

/** What a stranger could fill the log with: refusals that change nothing, and attempts over a limit. */
function isNoise(path: string, status: number): boolean {
  return (
    status === 429 || status === 415 || (status === 403 && path !== '/api/auth/signin') || path === '/api/auth/signout'
  );
}

function targetOf(request: FastifyRequest): string | null {
  const params = request.params as Record<string, unknown> | undefined;
  const [value] = Object.values(params ?? {});
  return value === undefined ? null : String(value);
}

function detailsOf(request: FastifyRequest): Record<string, unknown> {
  const body = request.body;
  if (typeof body !== 'object' || body === null) return {};
  return Object.fromEntries(
    Object.entries(body)
      .filter(([name, value]) => recorded.includes(name) && (value === null || typeof value !== 'object'))
      .map(([name, value]) => [name, typeof value === 'string' ? value.slice(0, 300) : value]),
  );
}
