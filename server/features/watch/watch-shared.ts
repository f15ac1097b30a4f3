import type { Db } from '#server/database/connect.ts';
import { updateAlarm } from '#server/features/alarms/conditions.ts';
import { watchLimits } from '#server/process/watch-limits.ts';
import { forgetMachineAlarms, readAge, readBackupAge } from './store.ts';

/** Looks at what all processes share: whether the backups that were asked for are made. */
export async function watchShared({ db, backupFolder }: { db: Db; backupFolder: string | undefined }): Promise<void> {
  await forgetMachineAlarms(db, watchLimits.machineAlarmSeconds);
  // Before the first backup its time runs from the database's own beginning.
  const ageSeconds = backupFolder === undefined ? 0 : ((await readBackupAge(db)) ?? (await readAge(db)));
  await updateAlarm(db, 'backup-old', { ageSeconds });
}
