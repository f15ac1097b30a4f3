import { asc, sql } from 'drizzle-orm';
import type { Db } from '#server/database/connect.ts';
import { rejectReasons } from './tables.ts';

/** The reasons for a rejection, in their order. */
export async function listRejectReasons(db: Db): Promise<string[]> {
  const rows = await db.select({ text: rejectReasons.text }).from(rejectReasons).orderBy(asc(rejectReasons.position));
  return rows.map((row) => row.text);
}

/** As `listRejectReasons`, and nobody else changes them until the transaction ends; they can be read meanwhile. */
export async function lockRejectReasons(db: Db): Promise<string[]> {
  await db.execute(sql`lock table ${rejectReasons} in share row exclusive mode`);
  return listRejectReasons(db);
}

export async function replaceRejectReasons(db: Db, reasons: readonly string[]): Promise<void> {
  await db.delete(rejectReasons);
  if (reasons.length > 0)
    await db.insert(rejectReasons).values(reasons.map((text, index) => ({ position: index + 1, text })));
}
