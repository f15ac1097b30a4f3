import type { Db } from '#server/database/connect.ts';
import { countAlarms, readBackupAge, readQueue } from './store.ts';

/** Figures of the product as a whole, for its metrics: the queue, the raised alarms, the last backup. */
export async function readDatabaseFigures(db: Db) {
  const [queue, alarms, backupAgeSeconds] = await Promise.all([readQueue(db), countAlarms(db), readBackupAge(db)]);
  return { ...queue, alarms, backupAgeSeconds };
}
