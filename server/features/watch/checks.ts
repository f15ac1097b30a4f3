import { once } from 'node:events';
import { statfs } from 'node:fs/promises';
import { isIP } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import tls from 'node:tls';
import type { Db } from '#server/database/connect.ts';
import { alarmKey, updateAlarm } from '#server/features/alarms/conditions.ts';
import { watchLimits } from '#server/process/watch-limits.ts';
import { findLevel, forgetMachineAlarms, hasSmsLeft, readAge, readBackupAge, readClock, readQueue } from './store.ts';

/** The bytes of a folder's disk; nothing of one that is not there, or does not answer in time. */
export type ReadDisk = (folder: string) => Promise<{ free: number; total: number } | undefined>;

/** Asks no disk that has not answered yet: each question more would hold one of the threads that files are read with. */
export function openDiskReader(read = statDisk): ReadDisk {
  const silent = new Set<string>();
  return async (folder) => {
    if (silent.has(folder)) return undefined;
    silent.add(folder);
    const answer = read(folder)
      .catch(() => undefined)
      .finally(() => silent.delete(folder));
    const late = new AbortController();
    const inTime = pause(watchLimits.disk.answerMs, undefined, late).catch(() => undefined);
    return Promise.race([answer, inTime]).finally(() => late.abort());
  };
}

async function statDisk(folder: string) {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, total: blocks * bsize };
}

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

/** Answers whether overdue messages stand still. Raises the alarm at the second look in a row: an outage may be over. */
export async function watchQueue(db: Db, before: boolean): Promise<boolean> {
  const { oldestDueSeconds } = await readQueue(db);
  const { stuckSeconds } = watchLimits;
  // A burst that leaves at its gateway's rate waits as well, and moves.
  const waits = oldestDueSeconds > stuckSeconds && !(await hasSmsLeft(db, stuckSeconds));
  if (waits && !before) return true;
  await updateAlarm(db, 'queue', { isStuck: waits });
  return waits;
}

/** Looks at what all processes share: whether the backups that were asked for are made. */
export async function watchShared({ db, backupFolder }: { db: Db; backupFolder: string | undefined }): Promise<void> {
  await forgetMachineAlarms(db, watchLimits.machineAlarmSeconds);
  // Before the first backup its time runs from the database's own beginning.
  const ageSeconds = backupFolder === undefined ? 0 : ((await readBackupAge(db)) ?? (await readAge(db)));
  await updateAlarm(db, 'backup-old', { ageSeconds });
}

/** Looks when the certificate of the product's address ends; an address that cannot be reached says nothing. */
export async function watchCertificate({
  db,
  publicUrl,
  now = new Date(),
}: {
  db: Db;
  publicUrl: string | undefined;
  now?: Date;
}): Promise<void> {
  const url = publicUrl === undefined ? undefined : new URL(publicUrl);
  if (url?.protocol !== 'https:') return updateAlarm(db, 'certificate', undefined);
  const end = await readEnd(url);
  if (end) await updateAlarm(db, 'certificate', { end, now, host: url.host });
}

/** The end of the certificate that is shown there, whoever signed it; undefined without one. */
async function readEnd({ hostname, port }: URL): Promise<Date | undefined> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket = tls.connect({
    host,
    port: Number(port || 443),
    ...(isIP(host) === 0 && { servername: host }),
    // An untrusted or expired certificate is read as well.
    rejectUnauthorized: false,
  });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(watchLimits.certificateMs) });
    const { valid_to } = socket.getPeerCertificate();
    return valid_to ? new Date(valid_to) : undefined;
  } catch {
    return undefined;
  } finally {
    socket.on('error', () => {}).destroy();
  }
}
