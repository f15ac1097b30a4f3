import { lt, sql } from 'drizzle-orm';
import type { Db } from './connect.ts';
import { deleteBatch } from './delete-batch.ts';
import { rateLimitCounters } from './tables.ts';

/** Deletes the rate limits' counters whose period is over, `limit` at most; answers how many. */
export async function deleteExpiredCounters(db: Db, limit: number): Promise<number> {
  return deleteBatch(db, {
    table: rateLimitCounters,
    key: rateLimitCounters.key,
    where: lt(rateLimitCounters.expire, sql`extract(epoch from now()) * 1000`),
    limit,
  });
}
