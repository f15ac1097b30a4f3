import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { createZstdDecompress } from 'node:zlib';
import { backupLimits } from '#server/process/backup-limits.ts';
import { CannotStart } from '#server/process/cannot-start.ts';
import {
  damaged,
  digestBytes,
  type Frame,
  kinds,
  type Manifest,
  manifestSchema,
  readFrames,
  readHead,
  sumsSchema,
  tableSumsSchema,
} from './format.ts';
import { keyOf, unseal } from './seal.ts';
import { Summing } from './sums.ts';

/** What is done with what a backup holds, in its order. A table's data is to be read to its end. */
export interface Receiver {
  image(name: string, bytes: Buffer): Promise<void>;
  table(table: { name: string; columns: string[] }, data: AsyncIterable<Buffer>): Promise<void>;
}

/** Does nothing with it: for who only wants to know whether a backup is whole. */
const looking: Receiver = {
  async image() {},
  async table(_table, data) {
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
  const { file } = source;
  const { start, size } = await readStart(file);
  const { salt } = readHead(start, file);
  if (source.passphrase && !salt && !source.plain)
    throw new CannotStart(
      `La sauvegarde ${file} n’est pas scellée, alors que BACKUP_PASSPHRASE scelle les vôtres : n’importe qui a pu l’écrire. Si vous savez d’où elle vient, ajoutez --plain.`,
    );
  const hash = createHash('sha256');
  const end = size - digestBytes;
  for await (const piece of createReadStream(file, { end: end - 1, highWaterMark: backupLimits.pieceBytes })) {
    source.signal?.throwIfAborted();
    hash.update(piece);
  }
  const written = Buffer.concat(await createReadStream(file, { start: end }).toArray());
  if (!written.equals(hash.digest())) throw damaged(file);
  return readBackup(source, looking);
}

/** Hands over what a verified file holds, sums it up once more, and answers its manifest. Throws as `verifyBackup`. */
export async function readBackup({ file, passphrase, signal }: Source, receiver: Receiver): Promise<Manifest> {
  const { start, size } = await readStart(file);
  const { length, salt } = readHead(start, file);
  if (salt && !passphrase)
    throw new CannotStart(
      `La sauvegarde ${file} est scellée : donnez sa phrase secrète par le réglage BACKUP_PASSPHRASE.`,
    );
  const key = salt && passphrase ? await keyOf(passphrase, salt) : undefined;
  let unlocked = !key;
  async function* unsealed(pieces: AsyncIterable<Buffer>) {
    if (!key) return yield* pieces;
    for await (const piece of unseal(pieces, key, start.subarray(0, length))) {
      unlocked = true;
      yield piece;
    }
  }
  const content = pipeline(
    createReadStream(file, { start: length, end: size - digestBytes - 1, highWaterMark: backupLimits.pieceBytes }),
    unsealed,
    createZstdDecompress({ chunkSize: backupLimits.pieceBytes }),
    () => {},
  );
  const frames = readFrames(content);
  let unreadable: { reason: unknown } | undefined;
  const next = async () => {
    try {
      signal?.throwIfAborted();
      return await nextOf(frames);
    } catch (reason) {
      unreadable = { reason };
      throw reason;
    }
  };
  try {
    return await handOver(next, receiver);
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    if (!unlocked)
      throw new CannotStart(`La phrase secrète (BACKUP_PASSPHRASE) n’est pas celle de la sauvegarde ${file}.`, {
        cause: error,
      });
    if (unreadable || error instanceof Mismatch) throw damaged(file, error);
    throw error;
  } finally {
    content.destroy();
  }
}

/** What was read is not what its sums say. */
class Mismatch extends Error {}

/** The beginning of a file, and its size. */
async function readStart(file: string): Promise<{ start: Buffer; size: number }> {
  const handle = await open(file).catch((cause: NodeJS.ErrnoException) => {
    const why = cause.code === 'ENOENT' ? 'n’existe pas' : `ne peut pas être lu (${cause.code})`;
    throw new CannotStart(`Le fichier ${file} ${why}.`, { cause });
  });
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw new CannotStart(`${file} n’est pas un fichier.`);
    const start = Buffer.alloc(backupLimits.headBytes);
    const { bytesRead } = await handle.read(start, 0, start.length, 0);
    const whole = start.subarray(0, bytesRead);
    const { length } = readHead(whole, file);
    if (stat.size <= length + digestBytes) throw damaged(file);
    return { start: whole, size: stat.size };
  } finally {
    await handle.close();
  }
}

async function nextOf(frames: AsyncIterator<Frame>): Promise<Frame> {
  const { value, done } = await frames.next();
  if (done) throw new Mismatch('ends before its manifest');
  return value;
}

const read = ({ content }: Frame): unknown => JSON.parse(content.toString('utf8'));

async function handOver(next: () => Promise<Frame>, receiver: Receiver): Promise<Manifest> {
  const seen: Pick<Manifest, 'tables' | 'images'> = { tables: [], images: [] };
  for (;;) {
    const each = await next();
    if (each.kind === kinds.manifest) {
      const manifest = manifestSchema.parse(read(each));
      if (!isDeepStrictEqual({ tables: manifest.tables, images: manifest.images }, seen))
        throw new Mismatch('the manifest is of something else');
      return manifest;
    }
    const { data, ended } = dataOf(next);
    if (each.kind === kinds.image) {
      const pieces: Buffer[] = [];
      for await (const piece of data) pieces.push(piece);
      const sums = sumsSchema.parse(await ended());
      seen.images.push(sums);
      await receiver.image(sums.name, Buffer.concat(pieces));
    } else if (each.kind === kinds.table) {
      const table = tableSumsSchema.pick({ name: true, columns: true }).parse(read(each));
      await receiver.table(table, data);
      const sums = tableSumsSchema.parse(await ended());
      if (sums.name !== table.name) throw new Mismatch('the sums of another table');
      seen.tables.push(sums);
    } else throw new Mismatch('a frame of no kind');
  }
}

/** The data of a table or an image up to its sums, which are compared with it; `ended` answers them. */
function dataOf(next: () => Promise<Frame>) {
  let said: unknown;
  async function* data(): AsyncGenerator<Buffer> {
    const summing = new Summing();
    for (;;) {
      const each = await next();
      if (each.kind !== kinds.data) {
        if (each.kind !== kinds.end) throw new Mismatch('data that goes on as something else');
        const { bytes, sha256, lines } = summing.end();
        const sums = sumsSchema
          .partial()
          .extend(tableSumsSchema.pick({ rows: true }).partial().shape)
          .parse(read(each));
        if (sums.bytes !== bytes || sums.sha256 !== sha256 || (sums.rows ?? lines) !== lines)
          throw new Mismatch('sums of something else');
        said = read(each);
        return;
      }
      summing.add(each.content);
      yield each.content;
    }
  }
  return {
    data: data(),
    ended: async () => {
      if (said === undefined) throw new Mismatch('data that was not read to its end');
      return said;
    },
  };
}
