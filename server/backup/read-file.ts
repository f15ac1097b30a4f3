import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import { createZstdDecompress } from 'node:zlib';
import { CannotStart } from '#server/process/cannot-start.ts';
import {
  beginningBytes,
  damaged,
  isSealed,
  type Manifest,
  Mismatch,
  manifestSchema,
  pieceBytes,
  placeOf,
} from './format.ts';
import { unseal, WrongPassphrase } from './seal.ts';
import { Summing, withoutDigest } from './sums.ts';
import { type EntryPiece, unpackTar } from './tar.ts';

/** An image, or the list of all there is, that a file may claim to hold: 400,000 images are listed in so much. */
const entryBytes = 64 * 1024 * 1024;

/** What is done with what a backup holds, in its order. A table's data is to be read to its end. */
export interface Receiver {
  image(name: string, bytes: Buffer): Promise<void>;
  table(name: string, data: AsyncIterable<Buffer>): Promise<void>;
}

/** Does nothing with it: for who only wants to know whether a backup is whole. */
export const looking: Receiver = {
  async image() {},
  async table(_name, data) {
    for await (const _piece of data);
  },
};

export interface Source {
  file: string;
  passphrase?: string | undefined;
  /** Whether a file may be open though there is a passphrase. */
  plain?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Reads a whole backup and answers its manifest, when every byte, sum and count was found to be what was written. Throws
 * `CannotStart` for a file that is cut or damaged anywhere, that is no backup, or that another passphrase opens. Where there is a
 * passphrase a file that is not sealed is refused too: anybody could have written it, its sums included.
 */
export async function verifyBackup(source: Source): Promise<Manifest> {
  const { file, passphrase, plain } = source;
  if (passphrase && !plain && !(await readKind(file)).sealed)
    throw new CannotStart(
      `La sauvegarde ${file} n'est pas scellée, alors que BACKUP_PASSPHRASE scelle les vôtres : n'importe qui a pu l'écrire. Si vous savez d'où elle vient, ajoutez --plain.`,
    );
  return readBackup(source, looking);
}

/** Hands over what a verified file holds, sums it up once more, and answers its manifest. Throws as `verifyBackup`. */
export async function readBackup({ file, passphrase, signal }: Source, receiver: Receiver): Promise<Manifest> {
  const { sealed } = await readKind(file);
  if (sealed && !passphrase)
    throw new CannotStart(
      `La sauvegarde ${file} est scellée : donnez sa phrase secrète par le réglage BACKUP_PASSPHRASE.`,
    );
  const bytes = createReadStream(file, { highWaterMark: pieceBytes });
  const tar = createZstdDecompress({ chunkSize: pieceBytes });
  const opened = sealed && passphrase ? unseal(bytes, passphrase) : bytes;
  // Fails before the tar ends where anything of the file is not what was written.
  const whole = pipeline(opened, withoutDigest, tar);
  whole.catch(() => {});
  const pieces = unpackTar(tar);
  let unreadable: { reason: unknown } | undefined;
  const next = async (): Promise<EntryPiece | undefined> => {
    try {
      signal?.throwIfAborted();
      const { value, done } = await pieces.next();
      if (!done) return value;
      return void (await whole);
    } catch (reason) {
      unreadable = { reason };
      throw reason;
    }
  };
  try {
    return await handOver(file, next, receiver);
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    if (error instanceof CannotStart) throw error;
    if (unreadable?.reason instanceof WrongPassphrase)
      throw new CannotStart(
        `La phrase secrète (BACKUP_PASSPHRASE) n'est pas celle de la sauvegarde ${file}, ou le début de ce fichier est endommagé.`,
        { cause: error },
      );
    if (unreadable || error instanceof Mismatch) throw damaged(file, error);
    throw error;
  } finally {
    tar.destroy();
    bytes.destroy();
  }
}

/** How a file was written, by its beginning. Throws `CannotStart` for what is no backup. */
async function readKind(file: string): Promise<{ sealed: boolean }> {
  const handle = await open(file).catch((cause: NodeJS.ErrnoException) => {
    const why = cause.code === 'ENOENT' ? "n'existe pas" : `ne peut pas être lu (${cause.code})`;
    throw new CannotStart(`Le fichier ${file} ${why}.`, { cause });
  });
  try {
    if (!(await handle.stat()).isFile()) throw new CannotStart(`${file} n'est pas un fichier.`);
    const start = Buffer.alloc(beginningBytes);
    await handle.read(start, 0, start.length, 0);
    return { sealed: isSealed(start, file) };
  } finally {
    await handle.close();
  }
}

async function handOver(
  file: string,
  next: () => Promise<EntryPiece | undefined>,
  receiver: Receiver,
): Promise<Manifest> {
  const images: Manifest['images'] = [];
  const tables: Omit<Manifest['tables'][number], 'columns'>[] = [];
  for (let at = await next(); at; ) {
    const { kind, name } = placeOf(at.entry, file);
    const summing = new Summing();
    /** The pieces that belong to the same place: of a table all its parts. */
    async function* data(): AsyncGenerator<Buffer> {
      for (; at && isDeepStrictEqual(placeOf(at.entry, file), { kind, name }); at = await next()) {
        summing.add(at.piece);
        yield at.piece;
      }
    }
    if (kind === 'table') {
      await receiver.table(name, data());
      const { lines, ...sums } = summing.end();
      tables.push({ name, rows: lines, ...sums });
      continue;
    }
    const content = await gather(data());
    if (kind === 'image') {
      const { bytes, sha256 } = summing.end();
      images.push({ name, bytes, sha256 });
      await receiver.image(name, content);
      continue;
    }
    const manifest = manifestOf(content);
    const sums = manifest.tables.map(({ columns, ...each }) => each);
    if (at || !isDeepStrictEqual({ tables: sums, images: manifest.images }, { tables, images }))
      throw new Mismatch('the manifest is of something else');
    return manifest;
  }
  throw new Mismatch('ends before its manifest');
}

/** The whole content of an entry. */
async function gather(data: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of data) {
    bytes += piece.length;
    if (bytes > entryBytes) throw new Mismatch('an entry that is too long');
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function manifestOf(content: Buffer): Manifest {
  try {
    return manifestSchema.parse(JSON.parse(content.toString('utf8')));
  } catch (cause) {
    throw new Mismatch('no manifest', { cause });
  }
}
