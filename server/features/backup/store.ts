import { desc, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { Db } from '#server/database/connect.ts';
import { backups } from './tables.ts';

/** The last backup that ended, of those to which a condition applies. */
export async function findLastBackup(db: Db, which?: SQL) {
  const [row] = await db
    .select({
      finishedAt: backups.finishedAt,
      bytes: backups.bytes,
      failure: backups.failure,
    })
    .from(backups)
    .where(which)
    .orderBy(desc(backups.startedAt), desc(backups.id))
    .limit(1);
  return row;
}

/** The last backup that was made whole, by hand or by schedule. */
export const findLastGoodBackup = (db: Db) => findLastBackup(db, isNull(backups.failure));

/** Records a backup that ended: its bytes, or a French sentence that says why there is none. `file` is its name without a folder. */
export async function recordBackup(
  db: Db,
  backup: { startedAt: Date; file: string } & ({ bytes: number } | { failure: string }),
): Promise<void> {
  await db.delete(backups).where(lt(backups.startedAt, sql`now() - interval '400 days'`));
  await db.insert(backups).values({ ...backup, finishedAt: sql`now()` });
}
