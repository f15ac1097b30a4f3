import type { Db } from '#server/database/connect.ts';
import { auditLog } from './tables.ts';

export type AuditEntry = typeof auditLog.$inferInsert;

/** Adds to the log; nothing changes or deletes it. */
export async function insertAuditEntry(db: Db, entry: AuditEntry): Promise<void> {
  await db.insert(auditLog).values(entry);
}
