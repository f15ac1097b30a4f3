import type pg from 'pg';
import { jobLimits } from '#server/process/limits.ts';

/**
 * A runner takes a job by writing its name and the time on it. If it dies, graphile-worker keeps the job, and its whole
 * queue, from other runners for 4 hours. So a taken job is on a lease here: its runner renews it, and any runner may take
 * one that is not renewed.
 */
const returning = `update graphile_worker._private_jobs
  set locked_by = null, locked_at = null, attempts = greatest(attempts - 1, 0)`;
const freeing = 'update graphile_worker._private_job_queues set locked_by = null, locked_at = null';

/** Returns what a runner that has ended still has taken, as if it had never begun: no attempt is used up. */
export async function returnJobs(pool: pg.Pool, runnerId: string): Promise<void> {
  await pool.query(`${returning} where locked_by = $1`, [runnerId]);
  await pool.query(`${freeing} where locked_by = $1`, [runnerId]);
}

/** Keeps the jobs of these runners for another `jobLimits.leaseSeconds`. */
export async function renewLeases(pool: pg.Pool, runnerIds: Iterable<string>): Promise<void> {
  for (const table of ['_private_jobs', '_private_job_queues'])
    await pool.query(`update graphile_worker.${table} set locked_at = now() where locked_by = any($1)`, [
      [...runnerIds],
    ]);
}

/** Returns the jobs of processes that died, or have long been cut off from the database. */
export async function returnAbandonedJobs(pool: pg.Pool): Promise<void> {
  for (const each of [returning, freeing])
    await pool.query(`${each} where locked_at < now() - make_interval(secs => $1)`, [jobLimits.leaseSeconds]);
}
