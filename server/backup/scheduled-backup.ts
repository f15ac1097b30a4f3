import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Db } from '#server/database/connect.ts';
import { updateAlarm } from '#server/features/alarms/conditions.ts';
import { backupLimits } from '#server/process/backup-limits.ts';
import type { Environment } from '#server/process/environment.ts';
import { type BackupTools, backUp } from './back-up.ts';
import { note, recorded, whyFailed } from './record.ts';

/** What a schedule is read from. */
type BackupSettings = Pick<Environment, 'BACKUP_DIR' | 'BACKUP_HOUR' | 'BACKUP_KEEP' | 'BACKUP_PASSPHRASE'>;

/** Where and when backups are made, and how many stay. */
export interface Schedule {
  folder: string;
  hour: number;
  keep: number;
  passphrase: string | undefined;
}

/** The schedule that the settings ask for, if they do. */
export function scheduleOf(settings: BackupSettings): Schedule | undefined {
  const { BACKUP_DIR: folder, BACKUP_HOUR: hour, BACKUP_KEEP: keep, BACKUP_PASSPHRASE: passphrase } = settings;
  return folder === undefined ? undefined : { folder, hour, keep, passphrase };
}

/** The same as administrators see it: without what seals backups. */
export const shownSchedule = ({ folder, hour, keep, passphrase }: Schedule) => ({
  folder,
  hour,
  keep,
  sealed: passphrase !== undefined,
});

/** What a scheduled backup is called, and nothing else is: its instant, in UTC. */
const ours = /^guichet-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.backup$/;
const unfinished = /^guichet-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.backup\.[a-f0-9]{8}\.part$/;
const nameOf = (at: Date) => `guichet-${at.toISOString().replace(/[:.]/g, '-')}.backup`;

/**
 * Makes a backup in the schedule's folder, and only after a good one deletes those beyond the number to keep. What fails
 * raises an alarm, which the next good one takes back and none made by hand does, and is thrown so that it is tried again; a
 * process that stops meanwhile leaves nothing behind.
 */
export async function backUpBySchedule(
  { db, ...tools }: BackupTools & { db: Db },
  { folder, keep, passphrase }: Schedule,
  signal: AbortSignal,
): Promise<void> {
  const name = nameOf(new Date());
  const file = path.join(folder, name);
  try {
    await recorded(db, file, () => backUp(tools, { file, passphrase, signal }));
    await note(updateAlarm(db, 'backup', undefined));
    await deleteOld(folder, keep, name);
  } catch (error) {
    if (!signal.aborted) await updateAlarm(db, 'backup', { failure: whyFailed(error) });
    throw error;
  }
}

/** Deletes ours beyond the newest `keep`, and what processes that were killed left unfinished. Nothing else is touched. */
async function deleteOld(folder: string, keep: number, made: string): Promise<void> {
  const names = (await readdir(folder)).sort();
  // A clock that was set back makes what was just made the oldest.
  const whole = names.filter((name) => ours.test(name) && name !== made);
  const old = keep > 1 ? whole.slice(0, 1 - keep) : whole;
  for (const name of [...old, ...names.filter((each) => unfinished.test(each))]) {
    const file = path.join(folder, name);
    const found = await stat(file).catch(() => undefined);
    const isUnderWay = unfinished.test(name) && found && Date.now() - found.mtimeMs < backupLimits.abandonedMs;
    if (found && !isUnderWay) await rm(file, { force: true });
  }
}
