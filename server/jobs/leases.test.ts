import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Connection, connect } from '#server/database/connect.ts';
import { jobLimits } from '#server/process/limits.ts';
import { templateDatabase } from '#server/testing/global-setup.ts';
import { createDatabase } from '#server/testing/test-api.ts';
import { renewLeases, returnAbandonedJobs, returnJobs } from './runner.ts';

let api: Connection;
beforeAll(async () => {
  // Without a runner, which would return what it thinks abandoned by itself.
  api = connect((await createDatabase(`template ${templateDatabase}`)).config, () => {});
});
afterAll(() => api.close());

/** Two runners have a job each in hand, for longer than a lease; a third one took its job just now. None is the worker's. */
beforeEach(async () => {
  await api.pool.query('delete from graphile_worker._private_jobs');
  await api.pool.query(
    "select graphile_worker.add_job(name, max_attempts => 3, queue_name => name) from unnest('{first,second,third}'::text[]) as name",
  );
  await api.pool.query(
    `update graphile_worker._private_jobs as jobs
     set attempts = 1, locked_by = identifier || ' runner',
       locked_at = now() - case identifier when 'third' then interval '0' else make_interval(secs => $1 + 1) end
     from graphile_worker._private_tasks as tasks where tasks.id = jobs.task_id`,
    [jobLimits.leaseSeconds],
  );
  // Each with its queue, whose other jobs wait.
  await api.pool.query(
    `update graphile_worker._private_job_queues as queues set locked_by = jobs.locked_by, locked_at = jobs.locked_at
     from graphile_worker._private_jobs as jobs where jobs.job_queue_id = queues.id`,
  );
});

/** The names of the jobs that are taken, and those that anybody may take again. */
async function listJobs() {
  const { rows } = await api.pool.query<{ name: string; runner: string | null; attempts: number }>(
    'select task_identifier as name, locked_by as runner, attempts from graphile_worker.jobs order by task_identifier',
  );
  const queues = await api.pool.query(
    'select queue_name as name, locked_by as runner from graphile_worker._private_job_queues order by queue_name',
  );
  expect(queues.rows).toEqual(rows.map(({ name, runner }) => ({ name, runner })));
  // A returned job is as it was before it was taken; a taken one has used the attempt it is at.
  for (const { runner, attempts } of rows) expect(attempts).toBe(runner ? 1 : 0);
  const namesOf = (taken: boolean) => rows.filter((row) => (row.runner !== null) === taken).map((row) => row.name);
  return { taken: namesOf(true), free: namesOf(false) };
}

test("a runner that ended returns its own job, and no other one's", async () => {
  await returnJobs(api.pool, 'third runner');
  expect(await listJobs()).toEqual({ taken: ['first', 'second'], free: ['third'] });
});

test('jobs of processes that have not been heard of for a lease are returned, those of live ones are not', async () => {
  await renewLeases(api.pool, new Set(['second runner']));
  await returnAbandonedJobs(api.pool);
  expect(await listJobs()).toEqual({ taken: ['second', 'third'], free: ['first'] });
});
