import { and, desc, eq, gte, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import type { auditActors, auditOutcomes } from '#contract/audit.ts';
import type { Db } from '#server/database/connect.ts';
import { countUpToCap } from '#server/database/counted-page.ts';
import { none, type Query, statement } from '#server/database/statement.ts';
import { users } from '#server/features/users/tables.ts';
import { auditLog } from './tables.ts';

export type AuditEntry = typeof auditLog.$inferInsert;

/** A row of the log, and its actor as they are now, if there still is one. */
export type AuditRow = Awaited<ReturnType<typeof listAuditRows>>[number];

const insertion = statement(none)(`
  insert into audit_log (actor_id, action, target, details, status, code, count, ip)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`);

/** What adds to the log; nothing changes or deletes it. */
export function auditEntry({
  actorId = null,
  action,
  target = null,
  details = {},
  status,
  code = null,
  count = 1,
  ip,
}: Omit<AuditEntry, 'createdAt'>): Query<never> {
  return insertion(actorId, action, target, JSON.stringify(details), status, code, count, ip);
}

export async function insertAuditEntry(db: Db, entry: Omit<AuditEntry, 'createdAt'>): Promise<void> {
  await db.ask(auditEntry(entry));
}

export interface AuditFilter {
  actorId?: number | undefined;
  actors?: (typeof auditActors)[number] | undefined;
  outcome?: (typeof auditOutcomes)[number] | undefined;
  /** Instants, both included. */
  from?: string | undefined;
  to?: string | undefined;
}

/** The rows that pass the filter, newest first, after the row `before`. */
export async function listAuditRows(
  db: Db,
  filter: AuditFilter,
  { limit, before }: { limit: number; before?: number | undefined },
) {
  const { id, firstName, lastName } = users;
  return db
    .select({ entry: auditLog, actor: { id, firstName, lastName } })
    .from(auditLog)
    .leftJoin(users, eq(users.id, auditLog.actorId))
    .where(and(passes(filter), before ? isAfter(before) : undefined))
    .orderBy(desc(auditLog.createdAt), desc(auditLog.id))
    .limit(limit);
}

/** By time, so that a page of a day long ago is found by the index of times. A row that was trimmed away has none after it. */
const isAfter = (id: number) => sql`(${auditLog.createdAt}, ${auditLog.id}) <
  ((select seen.created_at from ${auditLog} seen where seen.id = ${id}), ${id}::int)`;

export async function countAuditRows(db: Db, filter: AuditFilter) {
  return countUpToCap(db, sql`select 1 from ${auditLog} where ${passes(filter) ?? sql`true`}`);
}

function passes({ actorId, actors, outcome, from, to }: AuditFilter): SQL | undefined {
  const administrators = sql`array(select ${users.id} from ${users} where ${users.isAdmin})`;
  return and(
    actorId ? eq(auditLog.actorId, actorId) : undefined,
    actors === 'administrators' ? sql`${auditLog.actorId} = any(${administrators})` : undefined,
    actors === 'others' ? or(isNull(auditLog.actorId), sql`${auditLog.actorId} <> all(${administrators})`) : undefined,
    outcome === 'done' ? lt(auditLog.status, 400) : undefined,
    outcome === 'refused' ? gte(auditLog.status, 400) : undefined,
    from ? gte(auditLog.createdAt, new Date(from)) : undefined,
    to ? lte(auditLog.createdAt, new Date(to)) : undefined,
  );
}
