import { runOnce } from 'graphile-worker';
import { registerGateways } from '#server/features/sms/sms-sending.ts';
import { runnerOptions } from '#server/jobs/runner.ts';
import { createTasks, type WorkerTools } from '#server/jobs/worker.ts';

/**
 * For tests beside which no worker runs: each call runs all jobs that are due, in their order, and those that they queue.
 * Calls at once wait for each other.
 */
export async function prepareJobs(tools: WorkerTools): Promise<() => Promise<void>> {
  const { db, pool, sms } = tools;
  await registerGateways(db, sms);
  const { tasks: taskList } = createTasks(tools, new AbortController().signal);
  const due = `select from graphile_worker.jobs
    where task_identifier = any($1) and run_at <= now() and locked_at is null and attempts < max_attempts limit 1`;
  const runAll = async () => {
    while ((await pool.query(due, [Object.keys(taskList)])).rowCount)
      await runOnce({
        pgPool: pool,
        taskList,
        concurrency: 1,
        // With its delay, even of nothing, the library waits until a job's end is noted.
        ...runnerOptions,
      });
  };
  let last = Promise.resolve();
  return () => {
    const run = last.then(runAll);
    last = run.catch(() => {});
    return run;
  };
}
