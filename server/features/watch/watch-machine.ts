import type { Db } from '#server/database/connect.ts';
import { alarmKey, updateAlarm } from '#server/features/alarms/conditions.ts';
import type { ReadDisk } from './disk-reader.ts';
import { findLevel, readClock } from './store.ts';

export interface Machine {
  db: Db;
  /** The machine's name, which its alarms carry: there may be several. */
  host: string;
  dataFolder: string;
  backupFolder: string | undefined;
  readDisk: ReadDisk;
  /** Milliseconds since 1970. */
  now?(): number;
}

/** Looks at what each machine has of its own: room on the disks of its folders, and its clock beside the database's. */
export async function watchMachine({
  db,
  host,
  dataFolder,
  backupFolder,
  readDisk,
  now = Date.now,
}: Machine): Promise<void> {
  const watchDisk = async (name: 'disk' | 'disk-backup', folder: string | undefined) => {
    // A missing folder is reported by the code that writes to it.
    const room = folder === undefined ? undefined : await readDisk(folder);
    const before = room && (await findLevel(db, alarmKey(name, host)));
    await updateAlarm(db, name, folder && room ? { ...room, folder, host, before } : undefined, host);
  };
  await watchDisk('disk', dataFolder);
  await watchDisk('disk-backup', backupFolder);

  const asked = now();
  const theirs = await readClock(db);
  const answered = now();
  // Somewhere between the two the database looked at its clock.
  const apartMs = Math.max(asked - theirs, theirs - answered);
  await updateAlarm(db, 'clock', { apartMs, host }, host);
}
