import { eq, sql } from 'drizzle-orm';
import { databaseLimits } from '#server/process/limits.ts';
import type { Db } from './connect.ts';
import { onceFlags } from './tables.ts';

/**
 * Does the work once in the life of a database, in one transaction; answers whether this call did it. Of several
 * processes at once the others wait for the first, on its row.
 */
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
