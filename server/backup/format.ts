import * as z from 'zod';
import { backupLimits } from '#server/process/backup-limits.ts';
import { CannotStart } from '#server/process/cannot-start.ts';

/**
 * A backup is one file: a line that says what it is, frames that are compressed (zstd) and then, with a passphrase, sealed,
 * and the SHA-256 of all before it. The frames are images and tables, each with its own sums, and at last the manifest, which
 * repeats them all.
 */
const version = 1;
const beginning = 'GUICHET-BACKUP';
export const digestBytes = 32;

/** How a file was made. */
export interface Head {
  /** Of a sealed file: what its key is derived with beside the passphrase. */
  salt?: Buffer;
}

export function writeHead({ salt }: Head): Buffer {
  return Buffer.from(`${beginning} ${version} zstd ${salt ? `sealed ${salt.toString('hex')}` : 'plain'}\n`);
}

/** Reads the line that a file begins with. Throws `CannotStart` for what is no backup, or one of a later format. */
export function readHead(start: Buffer, file: string): Head & { length: number } {
  const line = start.subarray(0, start.indexOf('\n')).toString('latin1');
  const [word, format, compression, kind, salt = ''] = line.split(' ');
  if (word !== beginning) throw new CannotStart(`Le fichier ${file} n’est pas une sauvegarde de Guichet.`);
  if (format !== String(version) || compression !== 'zstd')
    throw new CannotStart(
      `La sauvegarde ${file} est d’un format que cette version de Guichet ne connaît pas : prenez une version plus récente.`,
    );
  const length = line.length + 1;
  if (kind === 'plain') return { length };
  if (kind === 'sealed' && /^[a-f0-9]{32}$/.test(salt)) return { length, salt: Buffer.from(salt, 'hex') };
  throw damaged(file);
}

/** What is said of a file that is not what was written, whatever of it. */
export function damaged(file: string, cause?: unknown): CannotStart {
  return new CannotStart(
    `La sauvegarde ${file} est coupée ou endommagée : rien n’en a été restauré. Prenez-en une autre copie, ou une autre sauvegarde.`,
    { cause },
  );
}

export const sumsSchema = z.object({
  name: z.string(),
  bytes: z.number().int().nonnegative(),
  sha256: z.string().regex(/^[a-f0-9]{64}$/),
});
export const tableSumsSchema = sumsSchema.extend({
  columns: z.array(z.string()),
  rows: z.number().int().nonnegative(),
});

/** What a whole backup holds. */
export const manifestSchema = z.object({
  /** When the snapshot of the tables was taken. */
  takenAt: z.iso.datetime(),
  /** `server_version` of the PostgreSQL it was taken from. */
  postgres: z.string(),
  /** The last migration that database had had: its place, and `when` of drizzle's journal. */
  migration: z.object({ number: z.number().int(), when: z.number().int() }),
  tables: z.array(tableSumsSchema),
  images: z.array(sumsSchema),
  /** Where each sequence stands; those that were never used are left out. */
  sequences: z.array(z.object({ name: z.string(), last: z.string().regex(/^\d{1,19}$/) })),
});

export type Manifest = z.output<typeof manifestSchema>;
export type Sums = z.output<typeof sumsSchema>;
export type TableSums = z.output<typeof tableSumsSchema>;

/** Kinds of frames: an image or a table begins, brings data, and ends with its sums; the manifest is the last frame. */
export const kinds = { image: 1, table: 2, data: 3, end: 4, manifest: 5 } as const;

const frameHead = 5;

/** A frame: its kind, its length in four bytes, its content. */
export function frame(kind: number, ...content: Buffer[]): Buffer {
  const head = Buffer.alloc(frameHead);
  head.writeUInt8(kind);
  head.writeUInt32BE(
    content.reduce((sum, { length }) => sum + length, 0),
    1,
  );
  return Buffer.concat([head, ...content]);
}

export const jsonFrame = (kind: number, content: object) => frame(kind, Buffer.from(JSON.stringify(content)));

export interface Frame {
  kind: number;
  content: Buffer;
}

/** Cuts a stream into its frames again. Throws where it ends within one. */
export async function* readFrames(pieces: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  let pending: Buffer = Buffer.alloc(0);
  for await (const piece of pieces) {
    pending = pending.length === 0 ? piece : Buffer.concat([pending, piece]);
    while (pending.length >= frameHead) {
      const end = frameHead + pending.readUInt32BE(1);
      if (end > backupLimits.frameBytes) throw new Error('a frame that is too long');
      if (pending.length < end) break;
      yield { kind: pending.readUInt8(), content: pending.subarray(frameHead, end) };
      pending = pending.subarray(end);
    }
  }
  if (pending.length > 0) throw new Error('a frame that is cut short');
}
