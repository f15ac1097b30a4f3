import { type SQL, sql } from 'drizzle-orm';
import { countedUpTo } from '#contract/shapes.ts';
import type { Db } from './connect.ts';

/** Counts the rows of a query exactly up to 10,000; beyond, that there are more. Counting a million takes 0.1 s, and helps nobody. */
export async function countUpToCap(db: Db, rows: SQL): Promise<{ total: number; capped: boolean }> {
  const counted = await db.execute<{ total: number }>(
    sql`select count(*)::int as total from (${rows} limit ${countedUpTo + 1}) counted`,
  );
  const total = counted.rows[0]?.total ?? 0;
  return { total: Math.min(total, countedUpTo), capped: total > countedUpTo };
}
