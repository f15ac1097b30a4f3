import { EventEmitter, once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { type ParsedCronItem, run, type TaskList, type WorkerEvents } from 'graphile-worker';
import type pg from 'pg';
import type { Db } from '#server/database/connect.ts';
import { quietJobLogger } from '#server/database/migrate.ts';
import { recordJobRunners } from '#server/database/store.ts';
import { jobLimits } from './limits.ts';

export const runnerOptions = {
  // Without a delay, even of 0, the library leaves a failure to record a job's end unhandled, which ends the process.
  preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  noHandleSignals: true,
  logger: quietJobLogger,
};

export interface RunnerTools {
  db: Db;
  pool: pg.Pool;
  tasks: TaskList;
  crontab: ParsedCronItem[];
  log: { error(details: object, message: string): void };
  /** Aborted when the process stops. */
  signal: AbortSignal;
}

/**
 * Runs jobs until `signal` is aborted. Resolves once the first runner works; `ended` resolves when the running jobs end. Throws while the
 * database is down. graphile-worker 0.18.0 ends a runner that cannot record a job's end; another one replaces it.
 */
export async function runJobs({ signal, ...tools }: RunnerTools): Promise<{ ended: Promise<void> }> {
  const { log } = tools;
  const runners = openRegister(tools);
  const first = await startRunner(tools, runners);
  const stopped = once(signal, 'abort');
  const renewal = setInterval(() => runners.renew(), jobLimits.renewMs);
  const supervise = async () => {
    const over: Promise<void>[] = [];
    for (let runner: Runner | undefined = first; runner; ) {
      const reason = await Promise.race([runner.broken, stopped]);
      over.push(runner.stop());
      if (!signal.aborted) log.error({ err: reason }, 'job runner broke; another one starts');
      runner = undefined;
      let reported = '';
      while (!runner && !signal.aborted) {
        await pause(jobLimits.retryMs, undefined, { signal }).catch(() => {});
        runner = await startRunner(tools, runners).catch((error: unknown) => {
          if (String(error) !== reported) log.error({ err: error }, 'job runner does not start yet');
          reported = String(error);
          return undefined;
        });
      }
    }
    await Promise.all(over);
    clearInterval(renewal);
    await runners.renew();
  };
  return { ended: supervise() };
}

interface Runner {
  /** Resolves with the reason when the runner can no longer be trusted. */
  broken: Promise<unknown>;
  /** Resolves when the running jobs have ended. */
  stop(): Promise<void>;
}

async function startRunner(
  { pool, tasks, crontab, log }: Omit<RunnerTools, 'signal'>,
  runners: Register,
): Promise<Runner> {
  const events: WorkerEvents = new EventEmitter();
  events.on('job:error', ({ job, error }) => {
    log.error({ err: error, job: job.id, task: job.task_identifier, attempt: job.attempts }, 'job failed');
  });
  let id = '';
  events.on('pool:create', ({ workerPool }) => {
    id = workerPool.id;
    runners.alive.add(id);
  });
  const idle = new Promise<void>((resolve) => {
    let working: number = jobLimits.concurrency;
    events.on('worker:stop', () => {
      working -= 1;
      if (working === 0) resolve();
    });
  });
  // A job whose answer was lost stays taken without running; only another runner's register frees it.
  const failed = new Promise<unknown>((resolve) => {
    for (const event of ['worker:getJob:error', 'pool:fatalError'] as const)
      events.on(event, ({ error }) => resolve(error));
  });
  const runner = await run({
    pgPool: asSeenByLibrary(pool),
    concurrency: jobLimits.concurrency,
    pollInterval: jobLimits.pollMs,
    ...runnerOptions,
    events,
    parsedCronItems: crontab,
    taskList: tasks,
  });
  const ended = runner.promise.catch((error: unknown) => error);
  // A runner that could not record two jobs' ends never resolves (0.18.0 miscounts them); its workers do.
  const over = Promise.race([ended, failed.then(() => idle)]).then(() => runners.retire(id));
  return {
    broken: Promise.race([failed, ended]),
    stop() {
      // A runner that is already stopping rejects.
      runner.stop().catch(() => {});
      return over;
    },
  };
}

type Register = ReturnType<typeof openRegister>;

/**
 * Records which runners are alive, since graphile-worker keeps a dead one's jobs for 4 hours. Every process frees the jobs of ended
 * runners, and of runners without a renewal for `jobLimits.leaseSeconds`.
 */
function openRegister({ db, pool }: Pick<RunnerTools, 'db' | 'pool'>) {
  const alive = new Set<string>();
  const retired = new Set<string>();
  let steadySince = performance.now();
  const renewAll = async () => {
    await recordJobRunners(db, [...alive]);
    const freed = [...retired];
    await pool.query('select graphile_worker.force_unlock_workers($1)', [freed]);
    for (const id of freed) retired.delete(id);
    // After an outage every lease is old, so the other runners first get time to renew.
    if (performance.now() - steadySince < jobLimits.leaseSeconds * 1_000) return;
    await freeAbandonedJobs(pool);
  };
  return {
    alive,
    retire(id: string): void {
      alive.delete(id);
      retired.add(id);
    },
    /** Never rejects: the next renewal is soon enough. */
    renew: () =>
      renewAll().catch(() => {
        steadySince = performance.now();
      }),
  };
}

/** Frees jobs and queues of runners whose lease has expired. */
export async function freeAbandonedJobs(pool: pg.Pool): Promise<void> {
  await pool.query(
    `with dead as (
       select locked_by as id from graphile_worker.jobs where locked_at < now() - make_interval(secs => $1)
         and locked_by not in (select id from job_runners where seen_at > now() - make_interval(secs => $1)))
     select graphile_worker.force_unlock_workers(array(select id from dead))`,
    [jobLimits.leaseSeconds],
  );
}

/**
 * The pool for graphile-worker. For some error codes, such as 57P03, the library would sleep up to 3 minutes; without the code it reports
 * at once. It may release its listening connection twice (0.18.0), at which the pool would throw.
 */
function asSeenByLibrary(pool: pg.Pool): pg.Pool {
  type Callback = (error: Error | undefined, client: pg.PoolClient | undefined, release: () => void) => void;
  const releaseOnce = (client: pg.PoolClient) => {
    let isReleased = false;
    return () => {
      if (!isReleased) client.release();
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
