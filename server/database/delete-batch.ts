import { inArray, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Db } from './connect.ts';

/** Deletes the rows of a table that meet a condition, `limit` at most, found by their key; answers how many it deleted. */
export async function deleteBatch(
  db: Db,
  { table, key, where, limit }: { table: PgTable; key: PgColumn; where: SQL | undefined; limit: number },
): Promise<number> {
  const keys = db.select({ key }).from(table).where(where).limit(limit);
  const { rowCount } = await db.delete(table).where(inArray(key, keys));
  return rowCount ?? 0;
}
