import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import type { Db } from '#server/database/connect.ts';
import { backUpAndRecord } from './back-up.ts';

/** Where backups are made, and how many stay. */
export interface Schedule {
  folder: string;
  keep: number;
  passphrase: string | undefined;
}

/** What a scheduled backup is called, and nothing else is: its instant, in UTC. */
const ours = /^guichet-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.backup(?:\.part)?$/;
const nameOf = (at: Date) => `guichet-${at.toISOString().replace(/[:.]/g, '-')}.backup`;

/**
 * Makes a backup in the schedule's folder, and then deletes ours beyond the number to keep. A failure deletes nothing, and is
 * thrown so that it is tried again.
 */
export async function backUpBySchedule(
  { db, config }: { db: Db; config: pg.ClientConfig },
  { folder, keep, passphrase }: Schedule,
  signal: AbortSignal,
): Promise<void> {
  const made = nameOf(new Date());
  await backUpAndRecord(db, config, { file: path.join(folder, made), passphrase, signal });
  // Unfinished ones too, of processes that were killed. A clock that was set back makes what was just made the oldest.
  const others = (await readdir(folder)).filter((name) => ours.test(name) && name !== made).sort();
  const whole = others.filter((name) => name.endsWith('.backup'));
  const stay = keep > 1 ? whole.slice(1 - keep) : [];
  for (const name of others) if (!stay.includes(name)) await rm(path.join(folder, name), { force: true });
}
