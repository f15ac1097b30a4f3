import type { Db } from '#server/database/connect.ts';
import { watchLimits } from '#server/process/watch-limits.ts';
import { setAlarm } from './set-alarm.ts';
import { forgetMachineAlarms, readAge, readBackupAge } from './store.ts';

/** Looks at what all processes share: whether the backups that were asked for are made. */
export async function watchShared({ db, backupFolder }: { db: Db; backupFolder: string | undefined }): Promise<void> {
  await forgetMachineAlarms(db, watchLimits.machineAlarmSeconds);
  // Before the first backup its time runs from the database's own beginning.
  const seconds = backupFolder === undefined ? 0 : ((await readBackupAge(db)) ?? (await readAge(db)));
  await setAlarm(
    db,
    'backup-old',
    seconds > watchLimits.backupSeconds ? 'critical' : undefined,
    () =>
      `Aucune sauvegarde n’a réussi depuis plus de ${watchLimits.backupSeconds / 3_600} heures : vérifiez BACKUP_DIR et le journal.`,
  );
}
