import { hash } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import type { ImageSize } from '#contract/uploads.ts';
import type { Db } from '#server/database/connect.ts';
import { imageLimits } from './limits.ts';
import { images } from './tables.ts';

/** An image's bytes at its own size and at each smaller one of `imageSizes`. */
export type EncodedImage = Pick<typeof images.$inferInsert, 'webp' | `webp${ImageSize}`>;

/** A column whose values are addresses of images, or null. */
export interface ImageColumn {
  table: PgTable;
  column: PgColumn;
}

const keep = { keptAt: sql`now()` };

/** Stores an image, unless the same one is there, and answers its address. */
export async function insertImage(db: Db, image: EncodedImage): Promise<string> {
  const url = `/uploads/${hash('sha256', image.webp).slice(0, 32)}.webp`;
  await db
    .insert(images)
    .values({ ...image, url })
    .onConflictDoUpdate({ target: images.url, set: keep });
  return url;
}

/** An image's bytes at a size; at its own size if it is smaller. */
export async function findImage(db: Db, url: string, size: ImageSize | undefined): Promise<Buffer | undefined> {
  const webp = size ? sql<Buffer>`coalesce(${images[`webp${size}`]}, ${images.webp})` : images.webp;
  const [row] = await db.select({ webp }).from(images).where(eq(images.url, url));
  return row?.webp;
}

/**
 * Protects an image that this transaction writes into a row: the clean-up waits for the image's changed row, and then finds it new.
 * Throws INVALID for an address of no image; null is fine.
 */
export async function requireImage(tx: Db, url: string | null | undefined): Promise<void> {
  if (!url) return;
  const kept = await tx.update(images).set(keep).where(eq(images.url, url)).returning({ url: images.url });
  if (kept.length === 0) throw new Failure('INVALID', { message: failureSentences.imageNotFromHere });
}

/** Deletes images that no row names and that were not stored or named for a day. Answers how many. */
export async function deleteUnusedImages(db: Db, columns: readonly ImageColumn[]): Promise<number> {
  const used = columns.map(({ table, column }) => sql`select ${column} from ${table} where ${column} = ${images.url}`);
  const { rowCount } = await db.execute(sql`
    delete from ${images}
    where ${images.keptAt} < now() - ${imageLimits.unusedSeconds} * interval '1 second'
      and not exists (${sql.join(used, sql` union all `)})`);
  return rowCount ?? 0;
}
