import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { createTarDecoder } from 'modern-tar';
import { CannotStart } from '#server/process/cannot-start.ts';
import {
  type BackupFile,
  Checksum,
  loadAge,
  type Manifest,
  manifestEntry,
  manifestSchema,
  normalized,
  type SavedTable,
  tableEntry,
} from './format.ts';

/** A manifest names some forty tables. */
const manifestBytes = 1024 * 1024;

/** Reads a whole backup, and answers its manifest. Throws `CannotStart` for a file that is damaged, foreign, or not sealed as it should be. */
export async function verifyBackup(source: BackupFile): Promise<Manifest> {
  const { file, signal } = source;
  try {
    return await readBackup(source, async (_table, rows) => {
      for await (const _piece of rows);
    });
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof CannotStart) throw cause;
    throw new CannotStart(`La sauvegarde ${file} est coupée ou endommagée : rien n'en a été restauré.`, { cause });
  }
}

/** Hands over each table of a backup with its rows, which are to be read to their end. Throws at the first thing that is not what was written. */
export async function readBackup(
  source: BackupFile,
  onTable: (table: SavedTable, rows: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<Manifest> {
  const { file, signal } = source;
  const passphrase = await requirePassphrase(source);
  const bytes = createReadStream(file);
  const gunzip = createGunzip();
  // It fails where anything of the file is not what was written.
  const opened = pipeline(passphrase ? unseal(bytes, passphrase, file) : bytes, gunzip, { signal });
  opened.catch(() => {});
  try {
    const tar = Readable.toWeb(gunzip) as globalThis.ReadableStream<Uint8Array>;
    let manifest: Manifest | undefined;
    let next = 0;
    for await (const { header, body } of tar.pipeThrough(createTarDecoder({ strict: true }))) {
      if (!manifest) {
        if (header.name !== manifestEntry || header.size > manifestBytes) throw foreign(file);
        manifest = manifestSchema.parse(JSON.parse(await text(body)));
        continue;
      }
      const table = manifest.tables[next];
      next += 1;
      if (!table || header.name !== tableEntry(table.name)) throw new Error(`unexpected entry ${header.name}`);
      const checksum = new Checksum();
      await onTable(table, checksum.of(body));
      if (checksum.end().sha256 !== table.sha256) throw new Error(`wrong checksum of ${table.name}`);
    }
    await opened;
    if (!manifest || next < manifest.tables.length) throw new Error('ends before its last table');
    return manifest;
  } catch (error) {
    // What follows from a file that cannot be opened is not the reason.
    if (!signal?.aborted && gunzip.errored) await opened;
    throw error;
  } finally {
    gunzip.destroy();
    bytes.destroy();
  }
}

const isGzip = (start: string) => start.startsWith('\x1f\x8b');

const foreign = (file: string) => new CannotStart(`Le fichier ${file} n'est pas une sauvegarde de Guichet.`);

/** Answers what opens the file: nothing for one that is not sealed. Throws `CannotStart` where it may not be opened like this. */
async function requirePassphrase({ file, passphrase }: BackupFile): Promise<string | undefined> {
  const start = await readStart(file);
  const isSealed = start.startsWith('age-encryption.org/');
  if (!isSealed && !isGzip(start)) throw foreign(file);
  if (isSealed && !passphrase)
    throw new CannotStart(
      `La sauvegarde ${file} est scellée : donnez sa phrase secrète par le réglage BACKUP_PASSPHRASE.`,
    );
  if (!isSealed && passphrase)
    throw new CannotStart(
      `La sauvegarde ${file} n'est pas scellée, alors que BACKUP_PASSPHRASE scelle les vôtres : si vous savez d'où elle vient, restaurez-la avec BACKUP_PASSPHRASE vide.`,
    );
  return isSealed ? passphrase : undefined;
}

async function readStart(file: string): Promise<string> {
  try {
    await using handle = await open(file);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(32), 0, 32, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? "n'existe pas" : `ne peut pas être lu (${code})`;
    throw new CannotStart(`Le fichier ${file} ${why}.`, { cause });
  }
}

async function* unseal(pieces: Readable, passphrase: string, file: string): AsyncGenerator<Uint8Array> {
  const decrypter = new (await loadAge()).Decrypter();
  decrypter.addPassphrase(normalized(passphrase));
  const sealed = Readable.toWeb(pieces) as globalThis.ReadableStream<Uint8Array>;
  const opened = await decrypter.decrypt(sealed).catch((cause: Error) => {
    if (!cause.message.startsWith('no identity matched')) throw cause;
    throw new CannotStart(
      `La phrase secrète (BACKUP_PASSPHRASE) n'est pas celle de la sauvegarde ${file}, ou le début de ce fichier est endommagé.`,
      { cause },
    );
  });
  let isFirst = true;
  for await (const piece of opened) {
    if (isFirst && !isGzip(Buffer.from(piece.subarray(0, 2)).toString('latin1'))) throw foreign(file);
    isFirst = false;
    yield piece;
  }
}
