import { lt, sql } from 'drizzle-orm';
import type { Db } from './connect.ts';
import { deleteBatch } from './delete-batch.ts';
import { rateLimits } from './support-tables.ts';

/** Deletes the rate limits' counters whose period is over, `batch` at most. */
export async function deleteExpiredCounters(db: Db, batch: number): Promise<number> {
  return deleteBatch(db, {
    table: rateLimits,
    key: rateLimits.key,
    where: lt(rateLimits.expire, sql`extract(epoch from now()) * 1000`),
    limit: batch,
  });
}
