import { createHash } from 'node:crypto';
import * as z from 'zod';

/**
 * A backup is a tar, compressed with gzip, of one folder: manifest.json first, then each table's rows as COPY writes them.
 * It is sealed by age where there is a passphrase.
 */
const folder = 'guichet-backup-2';
export const manifestEntry = `${folder}/manifest.json`;
export const tableEntry = (table: string) => `${folder}/${table}.copy`;

const tableSchema = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  rows: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
  sha256: z.string(),
});
export type SavedTable = z.output<typeof tableSchema>;

/** What a whole backup holds, in its order. */
export const manifestSchema = z.object({
  /** When the snapshot of the tables was taken. */
  takenAt: z.iso.datetime(),
  /** `server_version` of the PostgreSQL it was taken from. */
  postgres: z.string(),
  /** The last migration of that database: its number, and `when` of drizzle's journal. */
  migration: z.object({ number: z.int(), when: z.int() }),
  tables: z.array(tableSchema),
  /** The last value of each sequence; unused ones are left out. */
  sequences: z.array(z.object({ name: z.string(), last: z.string() })),
});
export type Manifest = z.output<typeof manifestSchema>;

/** What a backup is written to, or read from. */
export interface BackupFile {
  file: string;
  /** Seals the file. */
  passphrase?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Bytes and SHA-256 of what passes. */
export class Checksum {
  readonly #hash = createHash('sha256');
  #bytes = 0;

  async *of<Piece extends Uint8Array>(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece> {
    for await (const piece of pieces) {
      this.#hash.update(piece);
      this.#bytes += piece.length;
      yield piece;
    }
  }

  /** Asked once, at the end. */
  end(): { bytes: number; sha256: string } {
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }
}

/** Each pair of spellings of an accented text is one passphrase. */
export const normalized = (passphrase: string) => passphrase.normalize('NFC');

/** Loaded when a backup is sealed or opened, and not at each start. */
export const loadAge = () => import('age-encryption');
