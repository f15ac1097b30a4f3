import { and, eq, gt, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import type { Db } from '#server/database/connect.ts';
import { requireRow } from '#server/database/rows.ts';
import { alarmLimits } from './limits.ts';
import { alarms } from './tables.ts';

export type Alarm = typeof alarms.$inferSelect;

const seenWithin = (seconds: number) => sql`${alarms.seenAt} > now() - make_interval(secs => ${seconds})`;

/** The alarms of the last check: the worst first, then the oldest. */
export async function listAlarms(db: Db): Promise<Alarm[]> {
  return db
    .select()
    .from(alarms)
    .where(seenWithin(alarmLimits.shownSeconds))
    .orderBy(sql`${alarms.level} = 'warning'`, alarms.createdAt, alarms.key);
}

/** The alarms' figures for the metrics. */
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

const isOver = lt(alarms.seenAt, sql`now() - make_interval(secs => ${alarmLimits.overSeconds})`);
const news = {
  raised: and(isNull(alarms.toldAt), seenWithin(alarmLimits.shownSeconds)),
  ended: and(isNotNull(alarms.toldAt), isOver),
};

/**
 * Reports the next alarm that began or ended, after this key, and records that; answers its key, or undefined if there is none.
 * Concurrent callers get different alarms. If `tell` answers false, the alarm stays unreported.
 */
export async function tellNext(
  db: Db,
  { state, after }: { state: keyof typeof news; after: string },
  tell: (alarm: Alarm) => Promise<boolean>,
): Promise<string | undefined> {
  return db.transaction(async (tx) => {
    const [alarm] = await tx
      .select()
      .from(alarms)
      .where(and(news[state], gt(alarms.key, after)))
      .orderBy(alarms.key)
      .limit(1)
      .for('update', { skipLocked: true });
    if (!alarm) return undefined;
    if (!(await tell(alarm))) return alarm.key;
    const isIt = eq(alarms.key, alarm.key);
    if (state === 'ended') await tx.delete(alarms).where(isIt);
    else await tx.update(alarms).set({ toldAt: sql`now()` }).where(isIt);
    return alarm.key;
  });
}

/** Deletes ended alarms that need no further message: with a webhook, those whose beginning was never reported. */
export async function forgetOver(db: Db, hasWebhook: boolean): Promise<void> {
  await db.delete(alarms).where(and(isOver, hasWebhook ? isNull(alarms.toldAt) : undefined));
}
