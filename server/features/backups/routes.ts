import type { FastifyInstance } from 'fastify';
import { type BackupState, readBackups } from '#contract/backups.ts';
import type { Db } from '#server/database/connect.ts';
import { route } from '#server/http/route.ts';
import { findLastBackup, findLastEnded } from './store.ts';

/** The last good backup, why a later one failed, and the schedule. */
export function backupRoutes(app: FastifyInstance, { db, schedule }: { db: Db } & Pick<BackupState, 'schedule'>): void {
  route(app, readBackups, async () => {
    const [good, ended] = [await findLastBackup(db), await findLastEnded(db)];
    return {
      last: good?.finishedAt ? { finishedAt: good.finishedAt.toISOString(), bytes: good.bytes ?? 0 } : null,
      failure:
        ended?.finishedAt && ended.failure
          ? { finishedAt: ended.finishedAt.toISOString(), sentence: ended.failure }
          : null,
      schedule,
    };
  });
}
