import { and, count, eq, gt, isNull, or, sql } from 'drizzle-orm';
import type { Db } from '#server/database/connect.ts';
import { float, int } from '#server/database/row-kinds.ts';
import { query } from '#server/database/statement.ts';
import { requireRow } from '#server/database/store.ts';
import { type Alarm, listAlarms } from '#server/features/alarms/store.ts';
import { alarms } from '#server/features/alarms/tables.ts';
import { backups } from '#server/features/backups/tables.ts';
import { smsJob } from '#server/features/sms/store.ts';
import { smsMessages } from '#server/features/sms/tables.ts';

/** The queue of all processes: jobs by state, and for how long the oldest message has been due untaken. */
export async function readQueue(db: Db) {
  const figures = query({ waiting: int, running: int, failing: int, givenUp: int, oldestDueSeconds: float })(sql`
    select count(*) filter (where locked_at is null and attempts < max_attempts)::int as waiting,
           count(*) filter (where locked_at is not null)::int as running,
           count(*) filter (where last_error is not null and attempts < max_attempts)::int as failing,
           count(*) filter (where attempts >= max_attempts and locked_at is null)::int as "givenUp",
           coalesce(extract(epoch from now() - min(run_at) filter (
             where locked_at is null and attempts < max_attempts and run_at <= now()
               and identifier = ${smsJob.name})), 0)::float8
             as "oldestDueSeconds"
    from graphile_worker._private_jobs join graphile_worker._private_tasks tasks on tasks.id = task_id`);
  const { oldestDueSeconds, ...jobs } = await requireRow(db, figures);
  return { jobs, oldestDueSeconds };
}

/** Whether a message left within so many seconds. */
export async function hasSmsLeft(db: Db, seconds: number): Promise<boolean> {
  return (await db.$count(smsMessages, gt(smsMessages.sentAt, sql`now() - make_interval(secs => ${seconds})`))) > 0;
}

export async function countAlarms(db: Db): Promise<{ warning: number; critical: number }> {
  const [row] = await db
    .select({
      warning: count(sql`case when ${eq(alarms.level, 'warning')} then 1 end`),
      critical: count(sql`case when ${eq(alarms.level, 'critical')} then 1 end`),
    })
    .from(alarms);
  return row ?? { warning: 0, critical: 0 };
}

/** Seconds since the last good backup ended; none where there is none. */
export async function readBackupAge(db: Db): Promise<number | undefined> {
  const [row] = await db
    .select({ seconds: sql<number | null>`extract(epoch from now() - max(${backups.finishedAt}))::float8` })
    .from(backups)
    .where(sql`${backups.failure} is null`);
  return row?.seconds ?? undefined;
}

/** The database's clock, in milliseconds since 1970. */
export async function readClock(db: Db): Promise<number> {
  const clock = query({ ms: float })(sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`);
  return (await requireRow(db, clock)).ms;
}

/** Seconds since the oldest account was made: for how long this database has been in use. */
export async function readAge(db: Db): Promise<number> {
  const age = query({ seconds: float })(
    sql`select coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as seconds from users`,
  );
  return (await requireRow(db, age)).seconds;
}

/** Ends the alarms of single machines that are older than so many seconds, untold: a machine that is still there raises its own anew. */
export async function forgetMachineAlarms(db: Db, olderThanSeconds: number): Promise<void> {
  await db.execute(sql`
    delete from alarms where key ~ '^(disk|disk-backup|clock):'
      and created_at < now() - make_interval(secs => ${olderThanSeconds})`);
}

/** Waits for its turn to tell, which lasts until the transaction ends: two at once would tell everything twice. */
export async function takeTurnToNotify(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(7226010)`);
}

/** The alarms that were not notified yet, the worst first; other processes may change or end them meanwhile. */
export async function listUnnotified(tx: Db): Promise<Alarm[]> {
  return (await listAlarms(tx)).filter((alarm) => alarm.toldAt === null);
}

/** Records these as notified, unless they became worse since; answers those that ended since they were listed. */
export async function markNotified(tx: Db, told: readonly Alarm[]): Promise<Alarm[]> {
  const same = told.map(({ key, level }) => and(eq(alarms.key, key), eq(alarms.level, level)));
  await tx
    .update(alarms)
    .set({ toldAt: sql`now()` })
    .where(or(...same));
  const up = new Set((await tx.select({ key: alarms.key }).from(alarms)).map(({ key }) => key));
  return told.filter(({ key }) => !up.has(key));
}

export async function isUp(db: Db, key: string): Promise<boolean> {
  return (await db.$count(alarms, eq(alarms.key, key))) > 0;
}

export async function findLevel(db: Db, key: string): Promise<Alarm['level'] | undefined> {
  const [row] = await db.select({ level: alarms.level }).from(alarms).where(eq(alarms.key, key));
  return row?.level;
}

/** Messages about alarms that were queued in the last 24 hours. */
export async function countAlarmSms(tx: Db): Promise<number> {
  return tx.$count(
    smsMessages,
    and(eq(smsMessages.kind, 'alarm'), gt(smsMessages.createdAt, sql`now() - interval '1 day'`)),
  );
}

/** Records an alarm as notified; answers it if it was raised and not notified, to one of several concurrent callers. */
export async function recordNotified(db: Db, key: string): Promise<Alarm | undefined> {
  const [row] = await db
    .update(alarms)
    .set({ toldAt: sql`now()` })
    .where(and(eq(alarms.key, key), isNull(alarms.toldAt)))
    .returning();
  return row;
}

export async function recordUnnotified(db: Db, key: string): Promise<void> {
  await db.update(alarms).set({ toldAt: null }).where(eq(alarms.key, key));
}

/** Figures of the product as a whole, for its metrics: the queue, the raised alarms, the last backup. */
export async function readDatabaseFigures(db: Db) {
  const [queue, alarms, backupAgeSeconds] = await Promise.all([readQueue(db), countAlarms(db), readBackupAge(db)]);
  return { ...queue, alarms, backupAgeSeconds };
}
