import { and, eq, isNull, lt, sql } from 'drizzle-orm';
import type { Db } from '#server/database/connect.ts';
import { requireRow } from '#server/database/rows.ts';
import { alarmLimits } from '#server/process/alarm-limits.ts';
import { alarms } from './tables.ts';

export type Alarm = typeof alarms.$inferSelect;

const seenWithin = (seconds: number) => sql`${alarms.seenAt} > now() - make_interval(secs => ${seconds})`;

/** The alarms that the last look found: the worst first, then the oldest. */
export async function listAlarms(db: Db): Promise<Alarm[]> {
  return db
    .select()
    .from(alarms)
    .where(seenWithin(alarmLimits.shownSeconds))
    .orderBy(sql`${alarms.level} = 'warning'`, alarms.createdAt, alarms.key);
}

/** For the metrics. */
export async function readAlarmFigures(db: Db) {
  const { jobsDue } = await requireRow<{ jobsDue: number }>(
    db,
    sql`
      select count(*)::int as "jobsDue" from graphile_worker.jobs
      where run_at <= now() and locked_at is null and attempts < max_attempts`,
  );
  return { alarms: await listAlarms(db), jobsDue };
}

/** Records that a condition holds now. */
export async function recordAlarm(db: Db, { key, level, message }: Pick<Alarm, 'key' | 'level' | 'message'>) {
  await db
    .insert(alarms)
    .values({ key, level, message })
    .onConflictDoUpdate({ target: alarms.key, set: { level, message, seenAt: sql`now()` } });
}

/** Marks the untold alarms as told; of several callers at once one gets each. */
export async function takeUntold(db: Db): Promise<Alarm[]> {
  return db
    .update(alarms)
    .set({ toldAt: sql`now()` })
    .where(and(isNull(alarms.toldAt), seenWithin(alarmLimits.shownSeconds)))
    .returning();
}

/** Deletes and answers the alarms that are over. */
export async function takeOver(db: Db): Promise<Alarm[]> {
  return db
    .delete(alarms)
    .where(lt(alarms.seenAt, sql`now() - make_interval(secs => ${alarmLimits.overSeconds})`))
    .returning();
}

/** Puts back an alarm that was taken, and could not be told: the next look tries again. */
export async function putBack(db: Db, alarm: Alarm, state: 'raised' | 'ended'): Promise<void> {
  if (state === 'raised') await db.update(alarms).set({ toldAt: null }).where(eq(alarms.key, alarm.key));
  else await db.insert(alarms).values(alarm).onConflictDoNothing();
}
