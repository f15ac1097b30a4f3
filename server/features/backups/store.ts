import { and, desc, eq, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { Db } from '#server/database/connect.ts';
import { backups } from './tables.ts';

export type Backup = typeof backups.$inferSelect;

/** The last backup that was made whole, by hand or by schedule. */
export const findLastBackup = (db: Db) => findLastEnded(db, isNull(backups.failure));

/** The last backup that ended, however it did. */
export async function findLastEnded(db: Db, which?: SQL): Promise<Backup | undefined> {
  const [row] = await db
    .select()
    .from(backups)
    .where(and(isNotNull(backups.finishedAt), which))
    .orderBy(desc(backups.startedAt), desc(backups.id))
    .limit(1);
  return row;
}

/** Notes that a backup is begun; `file` is its name without a folder. Answers its id. */
export async function beginBackup(db: Db, file: string): Promise<number> {
  // Of processes that were killed: nothing takes a day.
  await db
    .update(backups)
    .set({ finishedAt: sql`now()`, failure: 'Interrompue.' })
    .where(and(isNull(backups.finishedAt), lt(backups.startedAt, sql`now() - interval '1 day'`)));
  await db.delete(backups).where(lt(backups.startedAt, sql`now() - interval '400 days'`));
  const [row] = await db.insert(backups).values({ file }).returning({ id: backups.id });
  return (row as { id: number }).id;
}

/** Notes how it ended: its bytes, or a French sentence that says why there is none. */
export async function endBackup(db: Db, id: number, end: { bytes: number } | { failure: string }): Promise<void> {
  await db
    .update(backups)
    .set({ finishedAt: sql`now()`, ...end })
    .where(eq(backups.id, id));
}
