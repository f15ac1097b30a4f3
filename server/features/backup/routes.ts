import type { FastifyInstance } from 'fastify';
import { readBackups } from '#contract/backups.ts';
import type { Db } from '#server/database/connect.ts';
import { route } from '#server/http/route.ts';
import { findLastBackup, findLastGoodBackup } from './store.ts';

/** The last good backup, why a later one failed, and whether any are made by themselves. */
export function backupRoutes(app: FastifyInstance, { db, isScheduled }: { db: Db; isScheduled: boolean }): void {
  route(app, readBackups, async () => {
    const [good, ended] = [await findLastGoodBackup(db), await findLastBackup(db)];
    return {
      last: good ? { finishedAt: good.finishedAt.toISOString(), bytes: good.bytes ?? 0 } : null,
      failure: ended?.failure ? { finishedAt: ended.finishedAt.toISOString(), sentence: ended.failure } : null,
      isScheduled,
    };
  });
}
