import { runOnce, type Task } from 'graphile-worker';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Connection, connect } from '#server/database/connect.ts';
import { quietJobLogger } from '#server/database/migrate.ts';
import { jobLimits } from '#server/process/limits.ts';
import { templateDatabase } from '#server/testing/global-setup.ts';
import { takeJobs } from '#server/testing/take-jobs.ts';
import { createDatabase } from '#server/testing/test-api.ts';
import { renewLeases, returnAbandonedJobs, returnJobs } from './runner.ts';

let api: Connection;
beforeAll(async () => {
  // Without a runner, which would return what it thinks abandoned by itself.
  api = connect((await createDatabase(`template ${templateDatabase}`)).config, () => {});
});
afterAll(() => api.close());

const names = ['first', 'second', 'third'];

/** Two runners have a job each in hand, for longer than a lease; a third one took its job just now. */
beforeEach(async () => {
  const runners = names.map((name) => `${name} runner`);
  await api.pool.query('select graphile_worker.force_unlock_workers($1)', [runners]);
  await api.pool.query('select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))');
  for (const name of names) {
    // Each with its queue, whose other jobs wait.
    await api.pool.query('select graphile_worker.add_job($1, max_attempts => 3, queue_name => $1)', [name]);
    await takeJobs(api.pool, name, name === 'third' ? 0 : jobLimits.leaseSeconds + 1);
  }
});

/** The jobs that another runner gets, with the attempt that each is at. */
async function run(): Promise<string[]> {
  const ran: string[] = [];
  const note: Task = async (_, { job }) => void ran.push(`${job.task_identifier} ${job.attempts}`);
  await runOnce({
    pgPool: api.pool,
    taskList: Object.fromEntries(names.map((name) => [name, note])),
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    noHandleSignals: true,
    logger: quietJobLogger,
  });
  return ran.toSorted();
}

test("a job in hand, and its queue, are nobody else's", async () => {
  expect(await run()).toEqual([]);
});

test("a runner that ended returns its own job as if never begun, and no other one's", async () => {
  await returnJobs(api.pool, 'third runner');
  expect(await run()).toEqual(['third 1']);
});

test('jobs of processes that have not been heard of for a lease are returned, those of live ones are not', async () => {
  await renewLeases(api.pool, new Set(['second runner']));
  await returnAbandonedJobs(api.pool);
  expect(await run()).toEqual(['first 1']);
});
