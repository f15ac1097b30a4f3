import { once } from 'node:events';
import type { FastifyBaseLogger } from 'fastify';
import { parseCronItems, type TaskList } from 'graphile-worker';
import type pg from 'pg';
import type { Db } from '#server/database/connect.ts';
import { pushSubject } from '#server/features/push/keys.ts';
import { sendPush } from '#server/features/push/send-push.ts';
import { pushServices as knownPushServices } from '#server/features/push/services.ts';
import type { PushJob } from '#server/features/push/store.ts';
import { checkBalances } from '#server/features/sms/check-balances.ts';
import { registerGateways } from '#server/features/sms/register-gateways.ts';
import { type SendingTools, sendSms } from '#server/features/sms/send-sms.ts';
import type { SmsRoute } from '#server/features/sms/sms-route.ts';
import { foldTallies } from '#server/features/tallies/store.ts';
import type { ImageStore } from '#server/features/uploads/image-store.ts';
import { backupLimits } from '#server/process/backup-limits.ts';
import { jobLimits, tallyLimits } from '#server/process/limits.ts';
import { smsLimits } from '#server/process/sms-limits.ts';
import { cleanUp } from './clean-up.ts';
import { type Outlast, retryWhileDatabaseIsDown, waitToRetry } from './retry-while-database-is-down.ts';
import { type Runner, startRunner } from './start-runner.ts';
import { type Watching, watchJobs, watchTimes } from './watch-jobs.ts';

export interface WorkerTools {
  db: Db;
  pool: pg.Pool;
  sms: SmsRoute;
  /** Hears what each gateway makes of each message. */
  onOutcome?: SendingTools['onOutcome'] | undefined;
  images: ImageStore;
  /** Makes the day's backup, at this hour (UTC); nothing where there is no schedule. */
  backup?: { hour: number; run(signal: AbortSignal): Promise<void> } | undefined;
  log: Pick<FastifyBaseLogger, 'error' | 'warn' | 'info'>;
  watching?: Watching | undefined;
  /** Of the site, if it is known. */
  publicUrl?: string | undefined;
  /** As the application's. */
  pushServices?: readonly string[] | undefined;
}

export interface Worker {
  /** Ends when the jobs in hand have; those that wait for a database that is away are left to the next process. */
  stop(): Promise<void>;
}

/** Of one name: yesterday's that never ended well does not run beside today's. */
const onceADay = {
  backfillPeriod: backupLimits.madeUpForMs,
  maxAttempts: backupLimits.attempts,
  jobKey: 'back_up',
};

/**
 * Runs the jobs of the queue: SMS and pushes as they come (LISTEN/NOTIFY), an hourly clean-up and check of balances, and a
 * daily backup. One process of several does each.
 * When the database was away, jobs that are due begin within 5 s of its return. Throws when it is away at the start.
 */
export async function startWorker(tools: WorkerTools): Promise<Worker> {
  const { db, pool, sms, onOutcome, images, log, watching, backup } = tools;
  await registerGateways(db, sms);
  const stopping = new AbortController();
  const { signal } = stopping;
  const outlast: Outlast = (work) => retryWhileDatabaseIsDown(work, signal);
  const tasks: TaskList = {
    send_sms: async (payload, { job }) => {
      const { id } = payload as { id: number };
      await sendSms({ db, sms, onOutcome, outlast, log }, { id, job: job.id });
    },
    send_push: async (payload) => {
      const services = tools.pushServices ?? knownPushServices;
      const subject = pushSubject(tools.publicUrl);
      await sendPush({ db, services, subject, log, outlast }, payload as PushJob);
    },
    check_sms_balance: () => checkBalances({ db, sms, log }),
    ...watchJobs({ db, ...watching }),
    clean_up: () => cleanUp({ db, images }),
    fold_tallies: async () => {
      while ((await foldTallies(db, tallyLimits.changesPerFold)) === tallyLimits.changesPerFold);
    },
    ...(backup && { back_up: () => backup.run(signal) }),
  };
  const crontab = parseCronItems([
    ...watchTimes,
    { task: 'fold_tallies', match: tallyLimits.foldCrontab, options: { backfillPeriod: 0 } },
    {
      task: 'check_sms_balance',
      match: smsLimits.balanceCrontab,
      options: { backfillPeriod: 0, maxAttempts: 1, jobKey: 'check_sms_balance' },
    },
    { task: 'clean_up', match: jobLimits.cleanUpCrontab, options: { backfillPeriod: 0 } },
    ...(backup ? [{ task: 'back_up', match: `0 ${backup.hour} * * *`, options: onceADay }] : []),
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
