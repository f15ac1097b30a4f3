import { statfs } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '#server/database/connect.ts';
import { watchLimits } from '#server/process/watch-limits.ts';
import { diskLevel } from './levels.ts';
import { setAlarm } from './set-alarm.ts';
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
  const watchDisk = async (key: string, folder: string | undefined) => {
    // A missing folder is reported by the code that writes to it.
    const disk = folder === undefined ? undefined : await ask(readDisk, folder);
    const name = `${key}:${host}`;
    const level = disk && diskLevel(disk, await findLevel(db, name));
    await setAlarm(db, name, level, () => {
      const { free, total } = disk as NonNullable<typeof disk>;
      const share = Math.floor((100 * free) / total);
      return `Il reste ${share} % (${bytesInFrench(free)}) sur le disque de ${folder}, machine ${host} : faites de la place.`;
    });
  };
  await watchDisk('disk', dataFolder);
  await watchDisk('disk-backup', backupFolder);

  const asked = now();
  const theirs = await readClock(db);
  const answered = now();
  // Somewhere between the two the database looked at its clock.
  const apart = Math.max(asked - theirs, theirs - answered);
  const isOff = apart > watchLimits.clockSeconds * 1_000;
  await setAlarm(
    db,
    `clock:${host}`,
    isOff ? 'warning' : undefined,
    () =>
      `L’horloge de la machine ${host} et celle de la base de données diffèrent de plus de ${watchLimits.clockSeconds} secondes : mettez-les à l’heure (NTP).`,
  );
}

/** Rounded down to what matters: a sentence that changes every minute is news every minute. */
function bytesInFrench(bytes: number): string {
  if (bytes < 1e9) return `${Math.floor(bytes / 1e8) * 100} Mo`;
  return `${String(Math.floor(bytes / 1e8) / 10).replace('.', ',')} Go`;
}
