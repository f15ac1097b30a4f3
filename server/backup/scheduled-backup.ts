import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Db } from '#server/database/connect.ts';
import type { Environment } from '#server/process/environment.ts';
import { type BackupTools, backUpAndRecord } from './back-up.ts';
import { deleteAbandoned } from './write-file.ts';

/** Where and when backups are made, and how many stay. */
export type Schedule = NonNullable<ReturnType<typeof scheduleOf>>;

/** The schedule that the settings ask for, if they do. */
export function scheduleOf(settings: Pick<Environment, `BACKUP_${'DIR' | 'HOUR' | 'KEEP' | 'PASSPHRASE'}`>) {
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
const nameOf = (at: Date) => `guichet-${at.toISOString().replace(/[:.]/g, '-')}.backup`;

/**
 * Makes a backup in the schedule's folder, and only after a good one deletes those beyond the number to keep. What fails
 * is thrown so that it is tried again; a process that stops meanwhile leaves nothing behind.
 */
export async function backUpBySchedule(
  { db, ...tools }: BackupTools & { db: Db },
  { folder, keep, passphrase }: Schedule,
  signal: AbortSignal,
): Promise<void> {
  const name = nameOf(new Date());
  const file = path.join(folder, name);
  await backUpAndRecord(db, tools, { file, passphrase, signal });
  await deleteOld(folder, keep, name);
}

/** Deletes ours beyond the newest `keep`, and what processes that were killed left unfinished. Nothing else is touched. */
async function deleteOld(folder: string, keep: number, made: string): Promise<void> {
  // A clock that was set back makes what was just made the oldest.
  const others = (await readdir(folder)).filter((name) => ours.test(name) && name !== made).sort();
  const old = keep > 1 ? others.slice(0, 1 - keep) : others;
  for (const name of old) await rm(path.join(folder, name), { force: true });
  await deleteAbandoned(folder, (name) => ours.test(name));
}
