import { once } from 'node:events';
import type { FastifyBaseLogger } from 'fastify';
import { type ParsedCronItem, parseCronItems, type TaskList } from 'graphile-worker';
import type pg from 'pg';
import { backUpJob, type DailyBackup } from '#server/backup/jobs.ts';
import type { Db } from '#server/database/connect.ts';
import type { JobDefinition } from '#server/database/define-job.ts';
import { type MessageReading, openMessageReading } from '#server/features/payment-feed/intake.ts';
import { readPaymentMessageJob, watchFeedsJob } from '#server/features/payment-feed/jobs.ts';
import { sendPushJob } from '#server/features/push/jobs.ts';
import { sendSmsJob } from '#server/features/sms/jobs.ts';
import type { SmsRoute } from '#server/features/sms/sms-route.ts';
import { registerGateways, type SendingTools } from '#server/features/sms/sms-sending.ts';
import { foldTalliesJob } from '#server/features/tallies/jobs.ts';
import {
  callWebhookJob,
  notifyAlarmEndJob,
  notifyAlarmsJob,
  type Watching,
  watchCertificateJob,
  watchJob,
} from '#server/features/watch/jobs.ts';
import { cleanUpJob } from './clean-up.ts';
import { type Outlast, retryWhileDatabaseIsDown, waitToRetry } from './retry-while-database-is-down.ts';
import { type Runner, startRunner } from './runner.ts';

export interface WorkerTools {
  db: Db;
  pool: pg.Pool;
  sms: SmsRoute;
  /** Hears what each gateway makes of each message. */
  onOutcome?: SendingTools['onOutcome'] | undefined;
  /** Whether jobs also begin by the clock; true by default. Queued jobs always run. */
  scheduled?: boolean | undefined;
  /** Nothing where there is no schedule. */
  backup?: DailyBackup | undefined;
  log: Pick<FastifyBaseLogger, 'error' | 'warn' | 'info'>;
  /** Without it the conditions that need no settings, and nobody who is told. */
  watching?: Watching | undefined;
  /** Of the site, if it is known. */
  publicUrl?: string | undefined;
  /** As the application's. */
  pushServices?: readonly string[] | undefined;
  /** The product's secret, which messages of payments are sealed under. */
  secret: string;
}

/** What each job may ask for. */
interface JobTools extends WorkerTools {
  watching: Watching;
  outlast: Outlast;
  payments: MessageReading;
  /** Aborted when the worker stops. */
  signal: AbortSignal;
}

const jobs: readonly JobDefinition<JobTools>[] = [
  sendSmsJob,
  sendPushJob,
  watchJob,
  watchCertificateJob,
  notifyAlarmsJob,
  notifyAlarmEndJob,
  callWebhookJob,
  cleanUpJob,
  foldTalliesJob,
  readPaymentMessageJob,
  watchFeedsJob,
];

export interface Worker {
  /** Ends when the jobs in hand have; those that wait for a database that is away are left to the next process. */
  stop(): Promise<void>;
}

/** What runs the queue's jobs, and the times at which some begin. Once `signal` is aborted none waits for the database. */
export function createTasks(
  given: WorkerTools,
  signal: AbortSignal,
): { tasks: TaskList; crontab: ParsedCronItem[]; outlast: Outlast } {
  const { backup, scheduled = true } = given;
  const outlast: Outlast = (work) => retryWhileDatabaseIsDown(work, signal);
  const payments = openMessageReading(given.secret);
  const watching = given.watching ?? { channels: { phones: [] } };
  const tools: JobTools = { ...given, watching, outlast, payments, signal };
  const all = backup ? [...jobs, backUpJob(backup)] : jobs;
  const tasks = Object.fromEntries(all.map(({ name, taskWith }) => [name, taskWith(tools)]));
  const crontab = parseCronItems(all.flatMap(({ name, cron }) => (cron && scheduled ? { task: name, ...cron } : [])));
  return { tasks, crontab, outlast };
}

/** Runs the jobs of the queue, again within 5 s of an outage. Throws when the database is away at the start. */
export async function startWorker(given: WorkerTools): Promise<Worker> {
  const { db, pool, sms, log } = given;
  await registerGateways(db, sms);
  const stopping = new AbortController();
  const { signal } = stopping;
  const { tasks, crontab, outlast } = createTasks(given, signal);
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
