import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Db } from '#server/database/connect.ts';
import type { AuditedWrite, WriteNote } from '#server/http/audited-write.ts';
import { auditLimits } from './limits.ts';
import { type AuditEntry, insertAuditEntry } from './store.ts';

/**
 * Keeps the audit log. A write is recorded in its own transaction (`request.write`). An administrator's other audited calls, such as
 * exports and sign-ins, are recorded before their successful answer is sent. If that fails, the call succeeds and the process's log has
 * an error. Refused calls are only in the process's log.
 */
export function registerAudit(app: FastifyInstance, { db }: { db: Db }): void {
  const written = new WeakSet<FastifyRequest>();
  // The address is read early: after a caller hangs up it is lost, and the record and its write would fail.
  const addresses = new WeakMap<FastifyRequest, string>();
  app.addHook('onRequest', (request, _reply, done) => {
    addresses.set(request, request.ip ?? '');
    done();
  });

  /** The entry of a call: actor, action, row, and the plain fields that its endpoint names. */
  function entryOf(request: FastifyRequest, actorId: number): AuditEntry {
    const { endpoint } = request.routeOptions.config;
    if (!endpoint?.audit) throw new Error('an audited write needs an endpoint that says what is recorded');
    const [target] = Object.values((request.params as Record<string, unknown> | undefined) ?? {});
    return {
      actorId,
      action: `${endpoint.method} ${endpoint.path}`,
      target: target === undefined ? null : String(target),
      details: plainFields(request.body, endpoint.audit.fields),
      ip: addresses.get(request) ?? '',
    };
  }

  async function write<T>(
    request: FastifyRequest,
    work: (tx: Db, note: (note: WriteNote) => void) => Promise<T>,
  ): Promise<T> {
    const caller = await request.findCaller();
    if (!caller) throw new Error('an audited write needs a signed-in caller');
    written.add(request);
    const entry = entryOf(request, caller.userId);
    return db.transaction(async (tx) => {
      const notes: WriteNote = {};
      const result = await work(tx, (note) => Object.assign(notes, note));
      if (notes.unchanged) return result;
      const target = notes.target === undefined ? entry.target : String(notes.target);
      const details = { ...entry.details, ...notes.details, ...(notes.before && { before: notes.before }) };
      await insertAuditEntry(tx, { ...entry, target, details });
      return result;
    });
  }
  app.decorateRequest('write', function (this: FastifyRequest, work) {
    return write(this, work);
  } satisfies (this: FastifyRequest, ...input: Parameters<AuditedWrite>) => Promise<unknown> as AuditedWrite);

  app.addHook('onSend', async (request, reply) => {
    const { endpoint } = request.routeOptions.config;
    if (!endpoint?.audit || reply.statusCode >= 400 || written.has(request)) return;
    try {
      const caller = await request.findCaller();
      if (!caller?.isAdmin) return;
      await insertAuditEntry(db, entryOf(request, caller.userId));
      // The answer waits until the log shows the entry.
      await app.changeFeed.catchUpAndTell();
    } catch (error) {
      request.log.error({ err: error }, 'audit record failed');
    }
  });
}

/** The named fields of a body. A long text is cut between characters. */
function plainFields(body: unknown, fields: readonly string[]): Record<string, unknown> {
  if (typeof body !== 'object' || body === null) return {};
  return Object.fromEntries(
    Object.entries(body)
      .filter(([name, value]) => fields.includes(name) && (value === null || typeof value !== 'object'))
      .map(([name, value]) => [
        name,
        typeof value === 'string' ? [...value].slice(0, auditLimits.fieldCharacters).join('') : value,
      ]),
  );
}
