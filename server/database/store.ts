import { eq, inArray, lt, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgInsertValue, PgTable } from 'drizzle-orm/pg-core';
import type { Db } from './connect.ts';
import { databaseLimits } from './limits.ts';
import { jobRunners, onceFlags, rateLimitCounters } from './tables.ts';

/** Does the work once in the life of a database, and answers whether this call did it. Other processes wait for the first, on its row. */
export async function doOnce(db: Db, name: string, work: (tx: Db) => Promise<void>): Promise<boolean> {
  if ((await db.$count(onceFlags, eq(onceFlags.name, name))) > 0) return false;
  return db.transaction(async (tx) => {
    await tx.execute(
      sql`select set_config(name, ${String(databaseLimits.onceMs)}, true) from unnest(array['lock_timeout', 'statement_timeout']) name`,
    );
    const [mine] = await tx.insert(onceFlags).values({ name }).onConflictDoNothing().returning();
    if (mine) await work(tx);
    return mine !== undefined;
  });
}

/** Inserts a row, and answers it whole. */
export async function insertRow<T extends PgTable>(
  db: Db,
  table: T,
  values: PgInsertValue<T>,
): Promise<T['$inferSelect']> {
  const rows = await db.insert(table).values(values).returning();
  return (rows as unknown[])[0] as T['$inferSelect'];
}

/** A condition on rows: so many seconds have passed since this instant of theirs. */
export const isOlderThan = (at: PgColumn, seconds: number) => lt(at, sql`now() - make_interval(secs => ${seconds})`);

/** Deletes the rows of a table that meet a condition, `limit` at most, found by their key; answers how many it deleted. */
export async function deleteBatch(
  db: Db,
  { table, key, where, limit }: { table: PgTable; key: PgColumn; where: SQL | undefined; limit: number },
): Promise<number> {
  const keys = db.select({ key }).from(table).where(where).limit(limit);
  const { rowCount } = await db.delete(table).where(inArray(key, keys));
  return rowCount ?? 0;
}

/** Deletes the rate limits' counters whose period is over, `limit` at most; answers how many. */
export async function deleteExpiredCounters(db: Db, limit: number): Promise<number> {
  const where = lt(rateLimitCounters.expire, sql`extract(epoch from now()) * 1000`);
  return deleteBatch(db, { table: rateLimitCounters, key: rateLimitCounters.key, where, limit });
}

/** Records that these job runners are alive, and forgets those that were not seen for a day. */
export async function recordJobRunners(db: Db, ids: readonly string[]): Promise<void> {
  const seenAt = sql`now()`;
  if (ids.length > 0)
    await db
      .insert(jobRunners)
      .values(ids.map((id) => ({ id })))
      .onConflictDoUpdate({ target: jobRunners.id, set: { seenAt } });
  await db.delete(jobRunners).where(lt(jobRunners.seenAt, sql`now() - interval '1 day'`));
}
