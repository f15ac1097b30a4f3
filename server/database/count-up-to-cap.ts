import { type SQL, sql } from 'drizzle-orm';
import { countedUpTo } from '#contract/shapes.ts';
import type { Db } from './connect.ts';

/** Counts the rows of a query exactly up to 10,000; beyond, that there are more. Counting a million takes 0.1 s, without a use. */
export async function countUpToCap(db: Db, rows: SQL): Promise<{ total: number; capped: boolean }> {
  const counted = await db.execute<{ total: number }>(sql`select ${fewOf(rows)} as total`);
  return capped(counted.rows[0]?.total ?? 0);
}

/** The same as part of another statement, whose answer `capped` reads. */
export const fewOf = (rows: SQL): SQL<number> =>
  sql`(select count(*)::int from (${rows} limit ${countedUpTo + 1}) counted)`;

export const capped = (few: number) => ({ total: Math.min(few, countedUpTo), capped: few > countedUpTo });
