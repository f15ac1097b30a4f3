import { count, eq, sql } from 'drizzle-orm';
import type { Db } from '#server/database/connect.ts';
import { alarms } from '#server/features/alarms/tables.ts';
import { backups } from '#server/features/backups/tables.ts';

/** The queue of all processes: jobs by what is going on with them, and since when the oldest is due that nobody has taken. */
export async function readQueue(db: Db) {
  const { rows } = await db.execute<
    Record<'waiting' | 'running' | 'failing' | 'givenUp' | 'oldestDueSeconds', string>
  >(sql`
    select count(*) filter (where locked_at is null and attempts < max_attempts) as waiting,
           count(*) filter (where locked_at is not null) as running,
           count(*) filter (where last_error is not null and attempts < max_attempts) as failing,
           count(*) filter (where attempts >= max_attempts and locked_at is null) as "givenUp",
           coalesce(extract(epoch from now() - min(run_at) filter (
             where locked_at is null and attempts < max_attempts and run_at <= now())), 0) as "oldestDueSeconds"
    from graphile_worker._private_jobs`);
  const [row] = rows;
  const numberOf = (name: keyof NonNullable<typeof row>) => Number(row?.[name]);
  return {
    jobs: {
      waiting: numberOf('waiting'),
      running: numberOf('running'),
      failing: numberOf('failing'),
      givenUp: numberOf('givenUp'),
    },
    oldestDueSeconds: numberOf('oldestDueSeconds'),
  };
}

/** How many alarms are up, by level. */
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
    .select({ seconds: sql<string | null>`extract(epoch from now() - max(${backups.finishedAt}))` })
    .from(backups)
    .where(sql`${backups.failure} is null`);
  return row?.seconds == null ? undefined : Number(row.seconds);
}
