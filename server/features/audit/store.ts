import { and, desc, eq, inArray, lt, type SQL, sql } from 'drizzle-orm';
import type { Db } from '#server/database/connect.ts';
import { countUpToCap } from '#server/database/rows.ts';
import { users } from '#server/features/users/tables.ts';
import { auditLimits } from './limits.ts';
import { auditLog } from './tables.ts';

export type AuditEntry = Omit<typeof auditLog.$inferInsert, 'createdAt'>;

export async function insertAuditEntry(db: Db, entry: AuditEntry): Promise<void> {
  await db.insert(auditLog).values(entry);
}

export interface AuditFilter {
  actorId?: number | undefined;
  /** The actions about a kind of row. */
  actions?: readonly string[] | undefined;
  target?: number | undefined;
}

/** The entries that match the filter, newest first, after the entry `before`; each with its actor's present data. */
export async function listAuditRows(
  db: Db,
  filter: AuditFilter,
  { limit, before }: { limit: number; before?: number | undefined },
) {
  const { firstName, lastName } = users;
  return db
    .select({ entry: auditLog, actor: { firstName, lastName } })
    .from(auditLog)
    .leftJoin(users, eq(users.id, auditLog.actorId))
    .where(and(passes(filter), before ? lt(auditLog.id, before) : undefined))
    .orderBy(desc(auditLog.id))
    .limit(limit);
}

export async function countAuditRows(db: Db, filter: AuditFilter) {
  return countUpToCap(db, sql`select 1 from ${auditLog} where ${passes(filter) ?? sql`true`}`);
}

function passes({ actorId, actions, target }: AuditFilter): SQL | undefined {
  return and(
    actorId ? eq(auditLog.actorId, actorId) : undefined,
    actions ? inArray(auditLog.action, [...actions]) : undefined,
    target ? eq(auditLog.target, String(target)) : undefined,
  );
}

/** Deletes the entries that are older than the log is kept. */
export async function deleteOldAuditEntries(db: Db): Promise<void> {
  await db.execute(sql`select trim_audit_log(now() - make_interval(days => ${auditLimits.keptDays}))`);
}
