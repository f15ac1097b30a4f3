import { lt, sql } from 'drizzle-orm';
import type { Db } from './connect.ts';
import { rateLimits } from './support-tables.ts';

/** Deletes the rate limits' counters whose period is over. */
export async function deleteExpiredCounters(db: Db): Promise<void> {
  await db.delete(rateLimits).where(lt(rateLimits.expire, sql`extract(epoch from now()) * 1000`));
}
