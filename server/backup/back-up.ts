import path from 'node:path';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Db } from '#server/database/connect.ts';
import { listMigrations, readLastMigration } from '#server/database/migration-list.ts';
import { beginBackup, endBackup } from '#server/features/backups/store.ts';
import { CannotStart } from '#server/process/cannot-start.ts';
import { type Entry, entryNames, type Manifest } from './format.ts';
import { verifyBackup } from './read-file.ts';
import { copyOut, listSequences, listTables, onOwnConnection, setTransactionDefaults, type Table } from './schema.ts';
import { Summing } from './sums.ts';
import { type Target, writeBackupFile } from './write-file.ts';

/** Rows of a table that are one file, held in memory until they are as many. */
const partBytes = 1024 * 1024;

export interface BackupTools {
  /** How to reach the database, which goes on serving. */
  config: pg.ClientConfig;
}

export interface MadeBackup {
  /** Of the file. */
  bytes: number;
  manifest: Manifest;
}

/**
 * Writes a backup of the database to a file, and reads it back whole. All tables are of one instant; those who
 * write meanwhile wait for nothing. Throws `CannotStart` where it cannot be made; nothing is left of it then.
 */
export async function backUp({ config }: BackupTools, target: Target): Promise<MadeBackup> {
  const { passphrase, signal } = target;
  return onOwnConnection({ ...config, application_name: 'guichet backup' }, signal, async (client) => {
    const check = (file: string) => verifyBackup({ file, passphrase, signal });
    const { bytes, checked } = await writeBackupFile(entriesOf(client), target, check);
    return { bytes, manifest: checked };
  });
}

/** Makes a backup and notes how it ended; a database that takes no note, such as a read-only one, is backed up all the same. */
export async function backUpAndRecord(db: Db, tools: BackupTools, target: Target): Promise<MadeBackup> {
  const id = await note(beginBackup(db, path.basename(target.file)));
  try {
    const made = await backUp(tools, target);
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

async function* entriesOf(client: pg.Client): AsyncGenerator<Entry> {
  const done: Manifest['tables'] = [];
  const server = await beginSnapshot(client);
  const migration = await requireKnownMigration(client);
  const tables = await listTables(client);
  for (const table of tables) yield* tableParts(client, table, done);
  const manifest: Omit<Manifest, 'images'> = {
    takenAt: server.now.toISOString(),
    postgres: server.version,
    migration,
    tables: done,
    // Read last: at least as far as any row in the snapshot.
    sequences: await listSequences(client),
  };
  await client.query('commit');
  yield { name: entryNames.manifest, content: Buffer.from(JSON.stringify(manifest, undefined, 2)) };
}

/** One transaction for all: behind a pooler only that keeps a connection. */
async function beginSnapshot(client: pg.Client): Promise<{ now: Date; version: string }> {
  await client.query('begin isolation level repeatable read, read only');
  await setTransactionDefaults(client);
  const { rows } = await client.query<{ now: Date; version: string }>(
    "select now() as now, split_part(current_setting('server_version'), ' ', 1) as version",
  );
  const [server] = rows;
  if (!server) throw new Error('the server does not say its version');
  return server;
}

async function requireKnownMigration(client: pg.Client): Promise<Manifest['migration']> {
  const when = await readLastMigration(client);
  if (when === undefined)
    throw new CannotStart("Cette base de données n'est pas celle de Guichet : il n'y a rien à sauver.");
  const known = listMigrations().find((each) => each.when === when);
  if (!known)
    throw new CannotStart(
      "La base de données est d'une autre version de Guichet : faites la sauvegarde avec cette version.",
    );
  return { number: known.number, when };
}

async function* tableParts(client: pg.Client, table: Table, done: Manifest['tables']): AsyncGenerator<Entry> {
  const { name, columns } = table;
  const summing = new Summing();
  let part = 0;
  for await (const content of inParts(client.query(copyTo(copyOut(table))))) {
    summing.add(content);
    part += 1;
    yield { name: entryNames.part(name, part), content };
  }
  const { bytes, lines, sha256 } = summing.end();
  done.push({ name, columns, rows: lines, bytes, sha256 });
}

/** Whole rows, so that each part is a file that COPY reads: a tar wants to know a length first. No rows are one part. */
async function* inParts(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let bytes = 0;
  let isFirst = true;
  for await (const piece of pieces) {
    held.push(piece);
    bytes += piece.length;
    if (bytes < partBytes) continue;
    const all = Buffer.concat(held);
    const end = all.lastIndexOf(10) + 1;
    if (end > 0) yield all.subarray(0, end);
    if (end > 0) isFirst = false;
    held = [all.subarray(end)];
    bytes = all.length - end;
  }
  if (bytes > 0 || isFirst) yield Buffer.concat(held);
}
