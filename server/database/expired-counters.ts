import { inArray, lt, sql } from 'drizzle-orm';
import type { Db } from './connect.ts';
import { rateLimits } from './support-tables.ts';

/** Deletes the rate limits' counters whose period is over, `batch` at most. */
export async function deleteExpiredCounters(db: Db, batch: number): Promise<number> {
  const over = db
    .select({ key: rateLimits.key })
    .from(rateLimits)
    .where(lt(rateLimits.expire, sql`extract(epoch from now()) * 1000`))
    .limit(batch);
  return (await db.delete(rateLimits).where(inArray(rateLimits.key, over)).returning({ key: rateLimits.key })).length;
}
