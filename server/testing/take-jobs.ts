import type pg from 'pg';

/**
 * Has the jobs of a task, and the queue of its name, taken by the runner `<task> runner` so many seconds ago. The library has
 * no public way to take a job at another time than now, and none to see who has a queue.
 */
export async function takeJobs(pool: pg.Pool, task: string, secondsAgo: number): Promise<void> {
  const taking = `locked_by = $1 || ' runner', locked_at = now() - make_interval(secs => $2)`;
  await pool.query(
    `update graphile_worker._private_jobs set attempts = attempts + 1, ${taking}
     where id in (select id from graphile_worker.jobs where task_identifier = $1)`,
    [task, secondsAgo],
  );
  await pool.query(`update graphile_worker._private_job_queues set ${taking} where queue_name = $1`, [
    task,
    secondsAgo,
  ]);
}
