import { open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ReadableStream } from 'node:stream/web';
import { createGzip } from 'node:zlib';
import { createTarPacker } from 'modern-tar';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Db } from '#server/database/connect.ts';
import { listMigrations, readLastMigration } from '#server/database/migrate.ts';
import { CannotStart } from '#server/process/cannot-start.ts';
import { whyNotWritten } from '#server/process/folders.ts';
import { syncFolder } from '#server/process/sync-folder.ts';
import { begin, copied, listTables, onOwnConnection, type Table } from './database.ts';
import {
  type BackupFile,
  Checksum,
  loadAge,
  type Manifest,
  manifestEntry,
  normalized,
  type SavedTable,
  tableEntry,
} from './format.ts';
import { recordBackup } from './store.ts';

export interface MadeBackup {
  /** Of the file. */
  bytes: number;
  manifest: Manifest;
}

/**
 * Writes a backup of the database, which goes on serving, to a file that only its owner reads. All tables are of one instant. Throws
 * `CannotStart` where it cannot be made; a failure leaves no file.
 */
export async function backUp(config: pg.ClientConfig, target: BackupFile): Promise<MadeBackup> {
  const { file, passphrase, signal } = target;
  await requirePlace(file);
  const part = partOf(file);
  const handle = await openPart(file);
  try {
    const named = { ...config, application_name: 'guichet backup' };
    const manifest = await onOwnConnection(named, signal, async (client) => {
      const made = await takeSnapshot(client);
      const write = (bytes: AsyncIterable<Uint8Array>) =>
        handle.writeFile(passphrase ? seal(bytes, passphrase) : bytes);
      await pipeline(packTar(client, made), createGzip({ level: 1 }), write, { signal });
      return made;
    });
    await handle.sync();
    const { size } = await handle.stat();
    await handle.close();
    await rename(part, file);
    await syncFolder(path.dirname(file));
    return { bytes: size, manifest };
  } catch (cause) {
    await handle.close();
    await rm(part, { force: true });
    signal?.throwIfAborted();
    if (cause instanceof CannotStart) throw cause;
    throw new CannotStart(`La sauvegarde ${file} a échoué : ${whyNotWritten(cause)}.`, { cause });
  }
}

/** Makes a backup and records how it ended, also in a database that takes no record, such as a read-only one. */
export async function backUpAndRecord(db: Db, config: pg.ClientConfig, target: BackupFile): Promise<MadeBackup> {
  const startedAt = new Date();
  const record = (end: { bytes: number } | { failure: string }) =>
    recordBackup(db, { startedAt, file: path.basename(target.file), ...end }).catch(() => {});
  try {
    const made = await backUp(config, target);
    await record({ bytes: made.bytes });
    return made;
  } catch (error) {
    await record({ failure: error instanceof CannotStart ? error.message : 'Interrompue.' });
    throw error;
  }
}

/** Throws `CannotStart` where there is something, since nothing is replaced, and where no file can be made. */
export async function requirePlace(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found) throw new CannotStart(`${file} existe déjà : donnez un autre nom.`);
  const part = await openPart(file);
  await part.close();
  await rm(partOf(file));
}

const partOf = (file: string) => `${file}.part`;

const openPart = (file: string) =>
  open(partOf(file), 'wx', 0o600).catch((cause) => {
    throw new CannotStart(`La sauvegarde ${partOf(file)} ne peut pas être écrite : ${whyNotWritten(cause)}.`, {
      cause,
    });
  });

/** Reads every table once, for the sizes and sums that come before the rows: the same snapshot has the same rows again later. */
async function takeSnapshot(client: pg.Client): Promise<Manifest> {
  await begin(client, 'isolation level repeatable read, read only');
  const when = await readLastMigration(client);
  const number = listMigrations().find((each) => each.when === when)?.number;
  if (when === undefined || number === undefined)
    throw new CannotStart(
      "La base de données n'est pas de cette version de Guichet : faites la sauvegarde avec la sienne.",
    );
  const { rows: server } = await client.query<{ now: Date; version: string }>(
    "select now(), split_part(current_setting('server_version'), ' ', 1) as version",
  );
  const tables: SavedTable[] = [];
  for (const table of await listTables(client)) tables.push(await measure(client, table));
  // They stand at least as far as any row of the snapshot.
  const { rows: sequences } = await client.query<Manifest['sequences'][number]>(
    `select sequencename as name, last_value::text as last from pg_sequences
     where schemaname = 'public' and last_value is not null order by 1`,
  );
  const [{ now, version } = { now: new Date(), version: '' }] = server;
  return { takenAt: now.toISOString(), postgres: version, migration: { number, when }, tables, sequences };
}

const rowsOf = (client: pg.Client, table: Table) => client.query(copyTo(`copy ${copied(table)} to stdout`));

async function measure(client: pg.Client, table: Table): Promise<SavedTable> {
  const checksum = new Checksum();
  const copy = rowsOf(client, table);
  for await (const _piece of checksum.of<Buffer>(copy));
  return { ...table, rows: copy.rowCount, ...checksum.end() };
}

async function* packTar(client: pg.Client, manifest: Manifest): AsyncGenerator<Uint8Array> {
  const { readable, controller } = createTarPacker();
  const add = (name: string, size: number, content: Readable) =>
    pipeline(content, controller.add({ name, size, mode: 0o600 }));
  const pack = async () => {
    const content = Buffer.from(JSON.stringify(manifest, undefined, 2));
    await add(manifestEntry, content.length, Readable.from([content]));
    for (const table of manifest.tables) await add(tableEntry(table.name), table.bytes, rowsOf(client, table));
    controller.finalize();
  };
  const packing = pack().catch((error: unknown) => controller.error(error));
  yield* readable;
  await packing;
}

/**
 * The logarithm of scrypt's N; age sets r to 8 and p to 1. Deriving the key takes 64 MB and a third of a second, half of
 * OWASP's first choice: twice as much would not fit a server of 512 MB.
 */
const scryptWorkFactor = 16;

/** Seals a stream as `age -p` does (https://age-encryption.org/v1). */
async function* seal(pieces: AsyncIterable<Uint8Array>, passphrase: string): AsyncGenerator<Uint8Array> {
  const encrypter = new (await loadAge()).Encrypter();
  encrypter.setPassphrase(normalized(passphrase));
  encrypter.setScryptWorkFactor(scryptWorkFactor);
  yield* await encrypter.encrypt(ReadableStream.from(pieces) as globalThis.ReadableStream<Uint8Array>);
}
