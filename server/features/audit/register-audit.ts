import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Audit } from '#contract/endpoint.ts';
import type { FailureCode } from '#contract/failure.ts';
import type { Db } from '#server/database/connect.ts';
import { FinalStatements } from '#server/database/transaction.ts';
import type { AuditedWrite, WriteNote } from '#server/http/audited-write.ts';
import { asFailure } from '#server/http/failures.ts';
import { auditLimits } from '#server/process/limits.ts';
import { type AuditedCall, administratorEntry, countRepeats, strangerEntry } from './entry.ts';
import { auditEntry, insertAuditEntry } from './store.ts';

/**
 * Keeps the audit log. An administrator's write is recorded in its transaction (`request.write`). Other audited calls, and
 * every 403, are recorded as they happen, also where the caller hung up; strangers' repeated calls are counted. Such a
 * record that cannot be written is an error in the log, not a failure of the call.
 */
export function registerAudit(app: FastifyInstance, { db }: { db: Db }): void {
  const repeats = countRepeats((entry) => insertAuditEntry(db, entry));
  const written = new WeakSet<FastifyRequest>();
  // The address of a caller who hung up is lost. A record without it would fail, and with it the write.
  const addresses = new WeakMap<FastifyRequest, string>();
  app.addHook('onRequest', (request, _reply, done) => {
    addresses.set(request, request.ip ?? '');
    done();
  });
  const callOf = (request: FastifyRequest): AuditedCall => ({
    params: request.params,
    body: request.body,
    ip: addresses.get(request) ?? '',
  });

  app.decorateRequest('write', function (this: FastifyRequest, work) {
    return writeAudited(db, this, callOf, work).finally(() => written.add(this));
  } satisfies (this: FastifyRequest, ...input: Parameters<AuditedWrite>) => Promise<unknown> as AuditedWrite);

  async function record(request: FastifyRequest, status: number, code: FailureCode | null): Promise<void> {
    const { endpoint } = request.routeOptions.config;
    if (!endpoint) return;
    try {
      // Over a limit no session is looked up: a flood would cost a query each.
      const caller = status === 429 ? undefined : await request.findCaller();
      if (caller?.isAdmin && !endpoint.audit?.ofOthers)
        await insertAuditEntry(db, administratorEntry(callOf(request), endpoint, caller, { status, code }));
      else await repeats.record(strangerEntry(callOf(request), endpoint, caller, { status, code }));
      // Whoever was answered finds it in the log.
      await app.changeFeed.catchUpAndTell();
    } catch (error) {
      request.log.error({ err: error }, 'audit record failed');
    }
  }

  async function recordGood(request: FastifyRequest, { audit, status }: { audit: Audit; status: number }) {
    if (!audit.ofOthers || (await isOfAnother(request))) await record(request, status, null);
  }

  app.addHook('onError', async (request, _reply, error) => {
    const { code, status } = asFailure(error);
    if (request.routeOptions.config.endpoint?.audit || status === 403) await record(request, status, code);
  });
  // Runs for good answers, files and failure bodies alike, before anything is sent; the last were recorded above.
  app.addHook('onSend', (request, reply, _body, done) => {
    const { audit } = request.routeOptions.config.endpoint ?? {};
    if (!audit || reply.statusCode >= 400 || written.has(request)) return done();
    // What it returns is waited for in place of `done`.
    return recordGood(request, { audit, status: reply.statusCode });
  });

  const timer = setInterval(() => flush(), auditLimits.periodMs).unref();
  const flush = () => repeats.flush().catch((error: unknown) => app.log.error({ err: error }, 'audit record failed'));
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await flush();
  });
}

async function isOfAnother(request: FastifyRequest): Promise<boolean> {
  const { userId } = request.params as { userId?: number };
  return userId !== (await request.findCaller())?.userId;
}

async function writeAudited<T>(
  db: Db,
  request: FastifyRequest,
  callOf: (request: FastifyRequest) => AuditedCall,
  work: (tx: Db, note: (note: WriteNote) => void) => Promise<T | FinalStatements<T>>,
): Promise<T> {
  const { endpoint } = request.routeOptions.config;
  const caller = await request.findCaller();
  if (!endpoint?.audit || !caller)
    throw new Error('an audited write needs a signed-in caller and what the endpoint records');
  return db.transaction(async (tx) => {
    const notes: WriteNote = {};
    const ending = FinalStatements.of(await work(tx, (note) => Object.assign(notes, note)));
    if (notes.unchanged) return ending;
    const entryOf = caller.isAdmin ? administratorEntry : strangerEntry;
    const entry = entryOf(callOf(request), endpoint, caller, { status: endpoint.status ?? 200, code: null });
    const noted = auditEntry({
      ...entry,
      target: notes.target === undefined ? entry.target : String(notes.target),
      details: { ...entry.details, ...notes.details, ...(notes.before && { before: notes.before }) },
    });
    return ending.and(noted);
  });
}
