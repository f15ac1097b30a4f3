import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Audit } from '#contract/endpoint.ts';
import type { Db } from '#server/database/connect.ts';
import { auditLimits } from '#server/process/limits.ts';
import { recordAudit } from './store.ts';

/**
 * Records, after the answer, the calls whose endpoint says so (`audit`) and every 403, with who, what, the answered status
 * and the address; but not what strangers could fill the log with. A record that cannot be written is an error in the log,
 * not a failure of the call.
 */
export function recordActions(app: FastifyInstance, { db }: { db: Db }): void {
  app.addHook('onResponse', async (request, reply) => {
    const { endpoint } = request.routeOptions.config;
    if (!endpoint || (!endpoint.audit && reply.statusCode !== 403)) return;
    try {
      const caller = await request.findCaller();
      if (!caller && isNoise(endpoint.audit, reply.statusCode)) return;
      await recordAudit(db, {
        actorId: caller?.userId ?? null,
        action: `${endpoint.method} ${endpoint.path}`,
        target: targetOf(request),
        details: detailsOf(request, endpoint.audit?.fields ?? []),
        status: reply.statusCode,
        ip: request.ip,
      });
    } catch (error) {
      request.log.error({ err: error }, 'audit record failed');
    }
  });
}

/** What a stranger could fill the log with: refusals that change nothing, and attempts over a limit. */
function isNoise(audit: Audit | undefined, status: number): boolean {
  if (status === 429 || status === 415 || audit?.strangers === 'no call') return true;
  return status === 403 && audit?.strangers !== 'every call';
}

function targetOf(request: FastifyRequest): string | null {
  const params = request.params as Record<string, unknown> | undefined;
  const [value] = Object.values(params ?? {});
  return value === undefined ? null : String(value);
}

/** Plain values only, and the beginning of long ones: an entry is a line, not a copy. */
function detailsOf({ body }: FastifyRequest, fields: readonly string[]): Record<string, unknown> {
  if (typeof body !== 'object' || body === null) return {};
  return Object.fromEntries(
    Object.entries(body)
      .filter(([name, value]) => fields.includes(name) && (value === null || typeof value !== 'object'))
      .map(([name, value]) => [name, typeof value === 'string' ? value.slice(0, auditLimits.fieldCharacters) : value]),
  );
}
