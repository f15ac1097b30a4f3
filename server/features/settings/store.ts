import { asc, sql } from 'drizzle-orm';
import { nextVersion } from '#server/database/columns.ts';
import type { Db } from '#server/database/connect.ts';
import { rejectReasons } from './tables.ts';

/** The reasons for a rejection, in their order. */
export interface RejectReasonList {
  reasons: string[];
  /** Null for an empty list. */
  updatedAt: Date | null;
}

export async function readRejectReasons(db: Db): Promise<RejectReasonList> {
  const rows = await db.select().from(rejectReasons).orderBy(asc(rejectReasons.position));
  return { reasons: rows.map((row) => row.text), updatedAt: rows[0]?.updatedAt ?? null };
}

/** As `readRejectReasons`, and nobody else changes them until the transaction ends; they can be read meanwhile. */
export async function lockRejectReasons(tx: Db): Promise<RejectReasonList> {
  await tx.execute(sql`lock table ${rejectReasons} in share row exclusive mode`);
  return readRejectReasons(tx);
}

/** Puts other reasons in the place of those that the transaction holds. */
export async function replaceRejectReasons(
  tx: Db,
  before: RejectReasonList,
  reasons: readonly string[],
): Promise<RejectReasonList> {
  await tx.delete(rejectReasons);
  const updatedAt = nextVersion(sql`${before.updatedAt?.toISOString() ?? null}::timestamptz`);
  const rows = reasons.map((text, index) => ({ position: index + 1, text, updatedAt }));
  if (rows.length > 0) await tx.insert(rejectReasons).values(rows);
  return readRejectReasons(tx);
}
