import { asc, eq, sql } from 'drizzle-orm';
import type { Db } from '#server/database/connect.ts';
import { alarms } from './tables.ts';

export type Alarm = typeof alarms.$inferSelect;

/**
 * Raises an alarm, or renews the words of one that is up already. It keeps its time, and is told again only where it became
 * worse.
 */
export async function raiseAlarm(
  db: Db,
  { key, level, message }: Pick<Alarm, 'key' | 'level' | 'message'>,
): Promise<void> {
  await db
    .insert(alarms)
    .values({ key, level, message })
    .onConflictDoUpdate({
      target: alarms.key,
      set: {
        level,
        message,
        toldAt: sql`case when ${alarms.level} = 'warning' and excluded.level = 'critical' then null else ${alarms.toldAt} end`,
      },
      setWhere: sql`(${alarms.level}, ${alarms.message}) is distinct from (excluded.level, excluded.message)`,
    });
}

/** Takes an alarm back whose cause is gone; one that is not up is fine. */
export async function clearAlarm(db: Db, key: string): Promise<void> {
  await db.delete(alarms).where(eq(alarms.key, key));
}

/** What is up now: the worst first, then the oldest. */
export async function listAlarms(db: Db): Promise<Alarm[]> {
  return db.select().from(alarms).orderBy(sql`${alarms.level} = 'warning'`, asc(alarms.createdAt), asc(alarms.key));
}
