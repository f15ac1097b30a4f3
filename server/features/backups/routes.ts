import type { FastifyInstance } from 'fastify';
import { type BackupState, readBackups } from '#contract/backups.ts';
import type { Db } from '#server/database/connect.ts';
import { route } from '#server/http/route.ts';
import { presentBackups } from './present.ts';
import { findLastBackup, findLastEnded } from './store.ts';

export function backupRoutes(
  app: FastifyInstance,
  { db, schedule }: { db: Db; schedule: BackupState['schedule'] },
): void {
  route(app, readBackups, async () =>
    presentBackups({ good: await findLastBackup(db), ended: await findLastEnded(db) }, schedule),
  );
}
