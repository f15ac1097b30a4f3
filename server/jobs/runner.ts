import { EventEmitter } from 'node:events';
import { type ParsedCronItem, run, type TaskList, type WorkerEvents } from 'graphile-worker';
import type pg from 'pg';
import { quietJobLogger } from '#server/database/migrate.ts';
import { jobLimits } from '#server/process/limits.ts';
import type { Outlast } from './retry-while-database-is-down.ts';

/**
 * graphile-worker keeps a dead runner's jobs, and their queues, for 4 hours. So a taken job is on a lease here: its runner
 * renews it, and any runner may take one that is not renewed.
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

export interface RunnerTools {
  pool: pg.Pool;
  tasks: TaskList;
  crontab: ParsedCronItem[];
  /** The runners of this process that may have jobs in hand: this one adds itself, and leaves when it has none left. */
  runnerIds: Set<string>;
  outlast: Outlast;
  log: Record<'error' | 'warn', (details: object, message: string) => void>;
}

export interface Runner {
  /** Resolves with the reason when the runner can no longer be relied on: its connections or its leases may be lost. */
  broken: Promise<unknown>;
  /** Finishes the jobs in hand, however long the database is away, and returns leased jobs that were not begun. */
  stop(): Promise<void>;
}

/** Runs jobs until the first failure of the database: a runner is not repaired, another one takes its place. */
export async function startRunner({ pool, tasks, crontab, runnerIds, outlast, log }: RunnerTools): Promise<Runner> {
  const events: WorkerEvents = new EventEmitter();
  events.on('job:error', ({ job, error }) => {
    log.error({ err: error, job: job.id, task: job.task_identifier, attempt: job.attempts }, 'job failed');
  });
  const id = new Promise<string>((resolve) => events.on('pool:create', ({ workerPool }) => resolve(workerPool.id)));
  const idle = new Promise<void>((resolve) => {
    let working: number = jobLimits.concurrency;
    events.on('worker:stop', () => {
      working -= 1;
      if (working === 0) resolve();
    });
  });
  const failed = new Promise<unknown>((resolve) => {
    for (const event of ['pool:listen:error', 'worker:getJob:error', 'pool:fatalError'] as const)
      events.on(event, ({ error }) => resolve(error));
  });
  const runner = await run({
    pgPool: asSeenByLibrary(pool, log),
    concurrency: jobLimits.concurrency,
    pollInterval: jobLimits.pollMs,
    // Without a delay, even of nothing, the library leaves a failure to note a job's end unhandled: it ends the process.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    noHandleSignals: true,
    logger: quietJobLogger,
    events,
    parsedCronItems: crontab,
    taskList: tasks,
  });
  const ended = runner.promise.catch((error: unknown) => error);
  const runnerId = await id;
  runnerIds.add(runnerId);

  const since = performance.now();
  const renewal = setInterval(async () => {
    try {
      await renewLeases(pool, runnerIds);
      // After an outage every lease looks old: the other processes first get the time to renew theirs.
      if (performance.now() - since > jobLimits.leaseSeconds * 1_000) await returnAbandonedJobs(pool);
    } catch {
      // The next renewal is soon enough for a lease.
    }
  }, jobLimits.renewMs);

  return {
    broken: Promise.race([failed, ended]),
    async stop() {
      clearInterval(renewal);
      // Refused by a runner that is stopping by itself.
      void runner.stop().catch(() => {});
      // A runner that could not note the ends of two jobs never ends (0.18.0 miscounts them); its workers do.
      await Promise.race([ended, failed.then(() => idle)]);
      await outlast(() => returnJobs(pool, runnerId)).finally(() => runnerIds.delete(runnerId));
    },
  };
}

/**
 * The pool for graphile-worker. By an error's code, such as 57P03, the library would sleep up to 3 minutes; without it the
 * error is reported at once. It may release its listening connection twice (0.18.0), at which the pool throws.
 */
function asSeenByLibrary(pool: pg.Pool, log: RunnerTools['log']): pg.Pool {
  type Callback = (error: Error | undefined, client: pg.PoolClient | undefined, release: () => void) => void;
  const releaseOnce = ({ release }: pg.PoolClient) => {
    let isReleased = false;
    return () => {
      if (isReleased) log.warn({}, 'the job library released a connection twice: the second time does nothing');
      else release();
      isReleased = true;
    };
  };
  const connect = (callback?: Callback) => {
    const connected = pool.connect().catch((cause: unknown) => {
      throw new Error('no connection for the job runner', { cause });
    });
    if (!callback) return connected;
    return connected.then(
      (client) => callback(undefined, client, releaseOnce(client)),
      (error: Error) => callback(error, undefined, () => {}),
    );
  };
  return Object.create(pool, { connect: { value: connect } });
}
