import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/audit.ts';
import type { Audit, Endpoint } from '#contract/endpoint.ts';
import type { Db } from '#server/database/connect.ts';
import { answerCount } from '#server/http/call-headers.ts';
import { route } from '#server/http/route.ts';
import { countAuditRows, listAuditRows } from './store.ts';

interface AuditTools {
  db: Db;
  /** Every registered endpoint, complete once the application is ready: the log shows their titles. */
  endpoints: readonly Endpoint[];
}

export function auditRoutes(app: FastifyInstance, { db, endpoints }: AuditTools): void {
  route(app, contract.listAuditEntries, async ({ query: { limit, before, object, ...one }, reply }) => {
    const known = actionsOf(endpoints);
    const actions = object && [...known].flatMap(([action, { about }]) => (about === object ? action : []));
    const filter = { ...one, actions };
    answerCount(reply, await countAuditRows(db, filter));
    const rows = await listAuditRows(db, filter, { limit, before });
    return rows.map(({ entry: { actorId, ...entry }, actor }) => ({
      ...entry,
      actor:
        actorId === null ? null : { id: actorId, name: actor ? `${actor.firstName} ${actor.lastName}`.trim() : '' },
      title: known.get(entry.action)?.title ?? 'Ancienne action',
      object: known.get(entry.action)?.about ?? null,
      createdAt: entry.createdAt.toISOString(),
    }));
  });
}

/** The title and subject of each action: audited calls and the server's commands. */
function actionsOf(endpoints: readonly Endpoint[]): ReadonlyMap<string, Pick<Audit, 'title' | 'about'>> {
  const calls = endpoints.flatMap(({ method, path, audit }) => (audit ? [[`${method} ${path}`, audit] as const] : []));
  return new Map<string, Pick<Audit, 'title' | 'about'>>([
    ['admin_create', { title: 'Administrateur créé sur le serveur', about: 'user' }],
    ['admin_remove', { title: "Rôle d'administrateur retiré sur le serveur", about: 'user' }],
    ['admin_reset', { title: "Mot de passe d'administrateur remplacé sur le serveur", about: 'user' }],
    ...calls,
  ]);
}
