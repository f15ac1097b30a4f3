import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/audit.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import type { Db } from '#server/database/connect.ts';
import { answerCount, route } from '#server/http/route.ts';
import { exportAudit } from './export-audit.ts';
import { presentAuditEntry, titlesOf } from './present.ts';
import { countAuditRows, listAuditRows } from './store.ts';

interface AuditTools {
  db: Db;
  /** Every endpoint of the application, as soon as all are registered: the log shows their titles. */
  endpoints: readonly Endpoint[];
}

export function auditRoutes(app: FastifyInstance, { db, endpoints }: AuditTools): void {
  route(app, contract.listAuditEntries, async ({ query: { limit, before, ...filter }, reply }) => {
    answerCount(reply, await countAuditRows(db, filter));
    const titles = titlesOf(endpoints);
    return (await listAuditRows(db, filter, { limit, before })).map((row) => presentAuditEntry(row, titles));
  });

  route(app, contract.exportAudit, async ({ query, reply }) => {
    const titles = titlesOf(endpoints);
    const today = new Date().toISOString().slice(0, 10);
    reply.header('content-disposition', `attachment; filename="journal_${today}.csv"`);
    return exportAudit(db, query, (row) => presentAuditEntry(row, titles));
  });
}
