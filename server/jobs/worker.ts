import type { FastifyBaseLogger } from 'fastify';
import { type ParsedCronItem, parseCronItems, type TaskList } from 'graphile-worker';
import type pg from 'pg';
import type { Db } from '#server/database/connect.ts';
import type { JobDefinition } from '#server/database/define-job.ts';
import { backUpJob, type DailyBackup } from '#server/features/backup/jobs.ts';
import { sendPushJob } from '#server/features/push/jobs.ts';
import { sendSmsJob } from '#server/features/sms/jobs.ts';
import type { SmsRoute } from '#server/features/sms/sms-route.ts';
import { registerGateways, type SendingTools } from '#server/features/sms/sms-sending.ts';
import { foldTalliesJob, rankServicesJob } from '#server/features/tickets/jobs.ts';
import { cleanUpJob } from './clean-up.ts';
import { runJobs } from './runner.ts';

export interface WorkerTools {
  db: Db;
  pool: pg.Pool;
  sms: SmsRoute;
  /** Called with each gateway's outcome for each message. */
  onOutcome?: SendingTools['onOutcome'] | undefined;
  /** Whether scheduled jobs run too; true by default. Queued jobs always run. */
  scheduled?: boolean | undefined;
  /** Undefined without scheduled backups. */
  backup?: DailyBackup | undefined;
  log: Pick<FastifyBaseLogger, 'error' | 'warn' | 'info'>;
  /** The site's address, if it is known. */
  publicUrl?: string | undefined;
  /** The same setting as the application's. */
  pushServices?: readonly string[] | undefined;
}

/** The dependencies of jobs. */
interface JobTools extends WorkerTools {
  /** Aborted when the worker stops. */
  signal: AbortSignal;
}

const jobs: readonly JobDefinition<JobTools>[] = [sendSmsJob, sendPushJob, cleanUpJob, foldTalliesJob, rankServicesJob];

export interface Worker {
  /** Resolves when the running jobs have ended. */
  stop(): Promise<void>;
}

/** The queue's jobs by name, and the schedule of those that the clock starts. */
export function createTasks(given: WorkerTools, signal: AbortSignal): { tasks: TaskList; crontab: ParsedCronItem[] } {
  const { backup, scheduled = true } = given;
  const tools: JobTools = { ...given, signal };
  const all = backup ? [...jobs, backUpJob(backup)] : jobs;
  return {
    tasks: Object.fromEntries(all.map(({ name, taskWith }) => [name, taskWith(tools)])),
    crontab: parseCronItems(all.flatMap(({ name, cron }) => (cron && scheduled ? { task: name, ...cron } : []))),
  };
}

/** Runs the queue's jobs, and resumes within 5 s of an outage. Throws if the database is down at the start. */
export async function startWorker(given: WorkerTools): Promise<Worker> {
  await registerGateways(given.db, given.sms);
  const stopping = new AbortController();
  const { signal } = stopping;
  const { ended } = await runJobs({ ...given, ...createTasks(given, signal), signal });
  return {
    stop() {
      stopping.abort();
      return ended;
    },
  };
}
