import { once } from 'node:events';
import type { FastifyBaseLogger } from 'fastify';
import { parseCronItems, type TaskList } from 'graphile-worker';
import type pg from 'pg';
import type { Db } from '#server/database/connect.ts';
import type { SmsProvider } from '#server/features/sms/provider.ts';
import { sendSms } from '#server/features/sms/send-sms.ts';
import { foldTallies } from '#server/features/tallies/store.ts';
import type { ImageStore } from '#server/features/uploads/image-store.ts';
import { jobLimits, tallyLimits } from '#server/process/limits.ts';
import { cleanUp } from './clean-up.ts';
import { type Outlast, outlastOutages, waitToRetry } from './outlast-outages.ts';
import { type Runner, startRunner } from './start-runner.ts';

export interface WorkerTools {
  db: Db;
  pool: pg.Pool;
  provider: SmsProvider;
  images: ImageStore;
  log: Pick<FastifyBaseLogger, 'error'>;
  /** Hears how each attempt to send an SMS ended, for the metrics. */
  countSms?: ((gateway: string, outcome: string) => void) | undefined;
}

export interface Worker {
  /** Ends when the jobs in hand have; those that wait for a database that is away are left to the next process. */
  stop(): Promise<void>;
}

/**
 * Runs the jobs of the queue: SMS as they come (LISTEN/NOTIFY), and an hourly clean-up, done by one process of several.
 * When the database was away, jobs that are due begin within 5 s of its return. Throws when it is away at the start.
 */
export async function startWorker({ db, pool, provider, images, log, countSms }: WorkerTools): Promise<Worker> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const outlast: Outlast = (work) => outlastOutages(work, signal);
  const tasks: TaskList = {
    send_sms: async (payload, { job }) => {
      const { id } = payload as { id: number };
      await sendSms({ db, provider, outlast, onOutcome: countSms }, { id, attempt: job.attempts });
    },
    clean_up: () => cleanUp({ db, images }),
    fold_tallies: async () => {
      while ((await foldTallies(db, tallyLimits.changesPerFold)) === tallyLimits.changesPerFold);
    },
  };
  const crontab = parseCronItems([
    { task: 'fold_tallies', match: tallyLimits.foldCrontab, options: { backfillPeriod: 0 } },
    { task: 'clean_up', match: jobLimits.cleanUpCrontab, options: { backfillPeriod: 0 } },
  ]);
  const runnerIds = new Set<string>();
  const start = () => startRunner({ pool, tasks, crontab, runnerIds, outlast, log });

  const startAgain = async (): Promise<Runner | undefined> => {
    let reported = '';
    while (!signal.aborted) {
      await waitToRetry(signal);
      try {
        return await start();
      } catch (error) {
        if (String(error) !== reported) log.error({ err: error }, 'job runner does not start yet');
        reported = String(error);
      }
    }
    return undefined;
  };
  const stops = new Set<Promise<void>>();
  const retire = (runner: Runner) => {
    const stopped = runner
      .stop()
      .catch((error: unknown) => log.error({ err: error }, 'jobs in hand were not returned'))
      .finally(() => stops.delete(stopped));
    stops.add(stopped);
  };
  const stopped = once(signal, 'abort');
  const supervise = async (first: Runner) => {
    for (let runner: Runner | undefined = first; runner; runner = await startAgain()) {
      const reason = await Promise.race([runner.broken, stopped]);
      retire(runner);
      if (!signal.aborted) log.error({ err: reason }, 'job runner broke; another one starts');
    }
    await Promise.all(stops);
  };
  const supervision = supervise(await start());
  return {
    stop() {
      stopping.abort();
      return supervision;
    },
  };
}
