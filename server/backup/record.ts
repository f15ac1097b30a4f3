import path from 'node:path';
import type { Db } from '#server/database/connect.ts';
import { beginBackup, endBackup } from '#server/features/backups/store.ts';
import { CannotStart } from '#server/process/cannot-start.ts';
import type { MadeBackup } from './back-up.ts';

/**
 * Makes a backup and notes that it was begun and how it ended. A database that takes no note, such as one that can only be read,
 * is backed up all the same.
 */
export async function recorded(db: Db, file: string, make: () => Promise<MadeBackup>): Promise<MadeBackup> {
  const id = await note(beginBackup(db, path.basename(file)));
  try {
    const made = await make();
    if (id !== undefined) await note(endBackup(db, id, { bytes: made.bytes }));
    return made;
  } catch (error) {
    if (id !== undefined) await note(endBackup(db, id, { failure: whyFailed(error) }));
    throw error;
  }
}

/** What a database takes note of where it can. */
export const note = <Result>(work: Promise<Result>): Promise<Result | undefined> => work.catch(() => undefined);

/** A French sentence, also for what nobody foresaw. */
export const whyFailed = (error: unknown): string =>
  error instanceof CannotStart
    ? error.message
    : `La sauvegarde a échoué (${error instanceof Error ? error.message : error}).`;
