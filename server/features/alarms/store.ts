import { asc, sql } from 'drizzle-orm';
import * as z from 'zod';
import type { Db } from '#server/database/connect.ts';
import { alarms } from './tables.ts';

export type Alarm = typeof alarms.$inferSelect;

/** Tells of the alarms that are up and untold. */
export const tellAlarmsJob = { name: 'tell_alarms' };
/** Tells of one that ended; `since` as PostgreSQL writes an instant in JSON. */
export const tellAlarmEndJob = {
  name: 'tell_alarm_end',
  payload: z.object({
    key: z.string(),
    level: z.enum(alarms.level.enumValues),
    message: z.string(),
    since: z.string(),
  }),
};

/**
 * Raises an alarm, or renews its words; it is told again only if it became worse. Telling is queued in the same transaction,
 * a job each time: one that replaces another by its key is lost if that is taken at that moment (graphile-worker 0.18.0).
 */
export async function raiseAlarm(
  db: Db,
  { key, level, message }: Pick<Alarm, 'key' | 'level' | 'message'>,
): Promise<void> {
  await db.execute(sql`
    with raised as (
      insert into alarms (key, level, message) values (${key}, ${level}, ${message})
      on conflict (key) do update set level = excluded.level, message = excluded.message,
        told_at = case when alarms.level = 'warning' and excluded.level = 'critical' then null else alarms.told_at end
      where (alarms.level, alarms.message) is distinct from (excluded.level, excluded.message)
      returning told_at)
    select graphile_worker.add_job(${tellAlarmsJob.name}) from raised where told_at is null`);
}

/** Ends an alarm, if it is up. Whoever was told of it is told of its end, which is queued in the same transaction. */
export async function clearAlarm(db: Db, key: string): Promise<void> {
  await db.execute(sql`
    with ended as (delete from alarms where key = ${key} returning *)
    select graphile_worker.add_job(${tellAlarmEndJob.name}, json_build_object(
      'key', key, 'level', level, 'message', message, 'since', created_at)) from ended where told_at is not null`);
}

/** What is up now: the worst first, then the oldest. */
export async function listAlarms(db: Db): Promise<Alarm[]> {
  return db.select().from(alarms).orderBy(sql`${alarms.level} = 'warning'`, asc(alarms.createdAt), asc(alarms.key));
}
