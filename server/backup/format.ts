import * as z from 'zod';
import { CannotStart } from '#server/process/cannot-start.ts';

/**
 * A backup is a tar of one folder: the rows of each table as files of COPY's text in `tables/<table>/`, and at last
 * `manifest.json` with the sums of all of them. Before migration 18 images were files, in `images/`. It is compressed with zstd, whose last frame
 * holds the SHA-256 of all before it, and sealed by age where there is a passphrase.
 */
const version = 1;
const folder = 'guichet-backup-';
const root = `${folder}${version}`;

/** What is read, compressed and decompressed at a time: each piece is a turn of another thread. */
export const pieceBytes = 256 * 1024;

/** A file of the tar, with its whole content. */
export interface Entry {
  name: string;
  content: Buffer;
}

export const entryNames = {
  image: (file: string) => `${root}/images/${file}`,
  /** A part of a table, from 1 on: in the order of their names they are one file. */
  part: (table: string, part: number) => `${root}/tables/${table}/${String(part).padStart(6, '0')}.copy`,
  manifest: `${root}/manifest.json`,
};

/** What an entry belongs to. */
export interface Place {
  kind: 'image' | 'table' | 'manifest';
  /** Of the image's file, or of the table. */
  name: string;
}

/** What an entry belongs to, by its name. Throws `CannotStart` for a tar of something else, and for a later format. */
export function placeOf(entry: string, file: string): Place {
  const [top, directory = '', name = '', part = ''] = entry.split('/');
  if (!top?.startsWith(folder)) throw noBackup(file);
  if (top !== root)
    throw new CannotStart(
      `La sauvegarde ${file} est d'un format que cette version de Guichet ne connaît pas : prenez une version plus récente.`,
    );
  if (entry === entryNames.manifest) return { kind: 'manifest', name: '' };
  if (entry === entryNames.image(name)) return { kind: 'image', name };
  if (directory === 'tables' && /^\d+\.copy$/.test(part)) return { kind: 'table', name };
  throw new Mismatch(`an entry that no backup has: ${entry}`);
}

/** What was read is not what its sums say. */
export class Mismatch extends Error {}

const beginnings = [
  { kind: 'plain', bytes: Buffer.from('28b52ffd', 'hex') },
  { kind: 'sealed', bytes: Buffer.from('age-encryption.org/') },
  { kind: 'old', bytes: Buffer.from('GUICHET-BACKUP ') },
] as const;

/** How many bytes of a file tell what it is. */
export const beginningBytes = Math.max(...beginnings.map(({ bytes }) => bytes.length));

/** Whether a file is sealed, by its first bytes. Throws `CannotStart` for what is no backup. */
export function isSealed(start: Buffer, file: string): boolean {
  const kind = beginnings.find(({ bytes }) => start.subarray(0, bytes.length).equals(bytes))?.kind;
  if (!kind) throw noBackup(file);
  if (kind === 'old')
    throw new CannotStart(
      `La sauvegarde ${file} est d'un format d'avant la version 1.0, que Guichet ne lit plus : restaurez-la avec la version qui l'a faite.`,
    );
  return kind === 'sealed';
}

const noBackup = (file: string) => new CannotStart(`Le fichier ${file} n'est pas une sauvegarde de Guichet.`);

/** What is said of a file that is not what was written, whatever of it. */
export function damaged(file: string, cause?: unknown): CannotStart {
  return new CannotStart(
    `La sauvegarde ${file} est coupée ou endommagée : rien n'en a été restauré. Prenez-en une autre copie, ou une autre sauvegarde.`,
    { cause },
  );
}

const sumsSchema = z.object({
  name: z.string(),
  bytes: z.number().int().nonnegative(),
  sha256: z.string().regex(/^[a-f0-9]{64}$/),
});
const tableSumsSchema = sumsSchema.extend({
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
  images: z.array(sumsSchema).default([]),
  /** Where each sequence stands; those that were never used are left out. */
  sequences: z.array(z.object({ name: z.string(), last: z.string().regex(/^\d{1,19}$/) })),
});

export type Manifest = z.output<typeof manifestSchema>;
