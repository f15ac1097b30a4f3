import type { FastifyBaseLogger } from 'fastify';
import { parseCronItems, type Runner, run } from 'graphile-worker';
import type pg from 'pg';
import type { Db } from '#server/database/connect.ts';
import { deleteExpiredCounters } from '#server/database/expired-counters.ts';
import { quietJobLogger } from '#server/database/job-logger.ts';
import { deleteOldFlows, deleteOldTokens } from '#server/features/auth/store.ts';
import { deleteOldSessions } from '#server/features/sessions/store.ts';
import type { SmsProvider } from '#server/features/sms/provider.ts';
import { sendSms } from '#server/features/sms/send-sms.ts';
import { deleteOldSms } from '#server/features/sms/store.ts';
import { sweepImages } from '#server/features/uploads/discard-images.ts';
import type { ImageStore } from '#server/features/uploads/image-store.ts';
import { deleteOldGuests } from '#server/features/users/store.ts';

export interface WorkerTools {
  db: Db;
  pool: pg.Pool;
  provider: SmsProvider;
  images: ImageStore;
  log: Pick<FastifyBaseLogger, 'error'>;
}

/** Rows deleted in one statement, so that each ends well before the statement timeout. */
const batch = 1_000;
const cleanUps = [
  deleteOldSessions,
  deleteOldGuests,
  deleteOldFlows,
  deleteOldTokens,
  deleteOldSms,
  deleteExpiredCounters,
];

/**
 * Deletes what nobody needs any more, batch by batch. One kind after the other, since a guest's deletion takes along
 * sessions that another clean-up deletes; one that fails does not keep the next from its turn.
 */
export async function prune({ db, images }: Pick<WorkerTools, 'db' | 'images'>): Promise<void> {
  const failures: unknown[] = [];
  for (const cleanUp of cleanUps)
    try {
      while ((await cleanUp(db, batch)) === batch);
    } catch (error) {
      failures.push(error);
    }
  await sweepImages({ db, images }).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/** Runs the jobs of the queue: SMS as they come (LISTEN/NOTIFY), and an hourly clean-up, done by one process of several. */
export async function startWorker({ db, pool, provider, images, log }: WorkerTools): Promise<Runner> {
  const runner = await run({
    pgPool: pool,
    concurrency: 4,
    noHandleSignals: true,
    logger: quietJobLogger,
    parsedCronItems: parseCronItems([{ task: 'prune', match: '7 * * * *', options: { backfillPeriod: 0 } }]),
    taskList: {
      send_sms: async (payload, { job }) => {
        const { id } = payload as { id: number };
        await sendSms({ db, provider }, { id, attempt: job.attempts });
      },
      prune: () => prune({ db, images }),
    },
  });
  runner.events.on('job:error', ({ job, error }) => {
    log.error({ err: error, task: job.task_identifier, attempt: job.attempts }, 'job failed');
  });
  return runner;
}
