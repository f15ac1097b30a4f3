import { statfs } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '#server/database/connect.ts';
import { alarmKey, updateAlarm } from '#server/features/alarms/conditions.ts';
import { watchLimits } from '#server/process/watch-limits.ts';
import { findLevel, readClock } from './store.ts';

export interface Machine {
  db: Db;
  /** The machine's name, which its alarms carry: there may be several. */
  host: string;
  dataFolder: string;
  backupFolder: string | undefined;
  /** The bytes of a folder's disk; throws where there is no such folder. */
  readDisk?(folder: string): Promise<{ free: number; total: number }>;
  /** Milliseconds since 1970. */
  now?(): number;
}

/** Folders whose disk has not answered yet: each question more would hold one of the threads that files are read with. */
const silent = new Set<string>();

/** A disk's room; nothing of one that is not there, or does not answer in time. */
async function ask(readDisk: NonNullable<Machine['readDisk']>, folder: string) {
  if (silent.has(folder)) return undefined;
  silent.add(folder);
  const answer = readDisk(folder)
    .catch(() => undefined)
    .finally(() => silent.delete(folder));
  const late = new AbortController();
  const inTime = pause(watchLimits.disk.answerMs, undefined, late).catch(() => undefined);
  return Promise.race([answer, inTime]).finally(() => late.abort());
}

async function readDiskOf(folder: string) {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, total: blocks * bsize };
}

/** Looks at what each machine has of its own: room on the disks of its folders, and its clock beside the database's. */
export async function watchMachine({
  db,
  host,
  dataFolder,
  backupFolder,
  readDisk = readDiskOf,
  now = Date.now,
}: Machine): Promise<void> {
  const watchDisk = async (name: 'disk' | 'disk-backup', folder: string | undefined) => {
    // A missing folder is reported by the code that writes to it.
    const room = folder === undefined ? undefined : await ask(readDisk, folder);
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
