import { once } from 'node:events';
import type { FastifyBaseLogger } from 'fastify';
import { parseCronItems, type TaskList } from 'graphile-worker';
import type pg from 'pg';
import type { Db } from '#server/database/connect.ts';
import { checkBalances } from '#server/features/sms/check-balances.ts';
import { registerGateways } from '#server/features/sms/register-gateways.ts';
import { type SendingTools, sendSms } from '#server/features/sms/send-sms.ts';
import type { SmsRoute } from '#server/features/sms/sms-route.ts';
import { foldTallies } from '#server/features/tallies/store.ts';
import type { ImageStore } from '#server/features/uploads/image-store.ts';
import { jobLimits, tallyLimits } from '#server/process/limits.ts';
import { smsLimits } from '#server/process/sms-limits.ts';
import { cleanUp } from './clean-up.ts';
import { type Outlast, outlastOutages, waitToRetry } from './outlast-outages.ts';
import { type Runner, startRunner } from './start-runner.ts';

export interface WorkerTools {
  db: Db;
  pool: pg.Pool;
  sms: SmsRoute;
  /** Hears what each gateway makes of each message. */
  onOutcome?: SendingTools['onOutcome'];
  images: ImageStore;
  log: Pick<FastifyBaseLogger, 'error'>;
}

export interface Worker {
  /** Ends when the jobs in hand have; those that wait for a database that is away are left to the next process. */
  stop(): Promise<void>;
}

/**
 * Runs the jobs of the queue: SMS as they come (LISTEN/NOTIFY), and an hourly clean-up and look at what is left of paid messages,
 * done by one process of several.
 * When the database was away, jobs that are due begin within 5 s of its return. Throws when it is away at the start.
 */
export async function startWorker({ db, pool, sms, onOutcome, images, log }: WorkerTools): Promise<Worker> {
  await registerGateways(db, sms);
  const stopping = new AbortController();
  const { signal } = stopping;
  const outlast: Outlast = (work) => outlastOutages(work, signal);
  const tasks: TaskList = {
    send_sms: async (payload, { job }) => {
      const { id } = payload as { id: number };
      await sendSms({ db, sms, onOutcome, outlast, log }, { id, attempt: job.attempts });
    },
    check_sms_balance: () => checkBalances({ db, sms, log }),
    clean_up: () => cleanUp({ db, images }),
    fold_tallies: async () => {
      while ((await foldTallies(db, tallyLimits.changesPerFold)) === tallyLimits.changesPerFold);
    },
  };
  const crontab = parseCronItems([
    { task: 'fold_tallies', match: tallyLimits.foldCrontab, options: { backfillPeriod: 0 } },
    {
      task: 'check_sms_balance',
      match: smsLimits.balanceCrontab,
      options: { backfillPeriod: 0, maxAttempts: 1, jobKey: 'check_sms_balance' },
    },
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
