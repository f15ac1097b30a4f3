import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/audit.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import type { Db } from '#server/database/connect.ts';
import { answerCount, route } from '#server/http/route.ts';
import { countAuditRows, findObject, listAuditRows } from './store.ts';

interface AuditTools {
  db: Db;
  /** Every endpoint of the application, as soon as all are registered: the log shows their titles. */
  endpoints: readonly Endpoint[];
}

export function auditRoutes(app: FastifyInstance, { db, endpoints }: AuditTools): void {
  route(app, contract.listAuditEntries, async ({ query: { limit, before, ...filter }, reply }) => {
    answerCount(reply, await countAuditRows(db, filter));
    const titles = titlesOf(endpoints);
    const rows = await listAuditRows(db, filter, { limit, before });
    return rows.map(({ entry: { actorId, ...entry }, actor }) => ({
      ...entry,
      actor:
        actorId === null ? null : { id: actorId, name: actor ? `${actor.firstName} ${actor.lastName}`.trim() : '' },
      title: titles.get(entry.action) ?? 'Ancienne action',
      object: findObject(entry.action) ?? null,
      createdAt: entry.createdAt.toISOString(),
    }));
  });
}

function titlesOf(endpoints: readonly Endpoint[]): ReadonlyMap<string, string> {
  const calls = endpoints.flatMap(({ method, path, audit }) =>
    audit ? [[`${method} ${path}`, audit.title] as const] : [],
  );
  return new Map([
    ['admin_create', 'Administrateur créé sur le serveur'],
    ['admin_remove', "Rôle d'administrateur retiré sur le serveur"],
    ['admin_reset', "Mot de passe d'administrateur remplacé sur le serveur"],
    ...calls,
  ]);
}
