import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import { type Db, wasUndone } from '#server/database/connect.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import type { CountUpload } from '#server/http/route.ts';
import type { ReencodeImage } from './image-reencoder.ts';
import type { ImageStore } from './image-store.ts';
import { type ImageColumn, isImageUsed } from './store.ts';

/** What the slices that show images work with. */
export interface ImageTools {
  db: Db;
  images: ImageStore;
  /** Every column of the database that holds an image's URL; each slice declares its own. */
  imageColumns: readonly ImageColumn[];
}

/** The same for those that take images. */
export interface UploadTools extends ImageTools {
  reencodeImage: ReencodeImage;
  countUpload: CountUpload;
}

/**
 * Stores an image before the change that names its URL, null without one; deletes it where the change was refused or
 * undone. In doubt, such as after a lost answer to COMMIT, it is left to the clean-up. Throws what `reencodeImage` throws.
 */
export async function withStoredImage<T>(
  { images, reencodeImage }: Pick<UploadTools, 'images' | 'reencodeImage'>,
  image: Buffer | undefined,
  change: (url: string | null) => Promise<T>,
): Promise<T> {
  const made = image && (await reencodeImage(image));
  const url = made ? await images.put(made.webp, made.smaller) : null;
  try {
    return await change(url);
  } catch (error) {
    if (url && (error instanceof Failure || wasUndone(error))) await images.remove(url);
    throw error;
  }
}

/** Stores an uploaded image that no row names yet, and answers its address. Throws FILE_MISSING, and what `reencodeImage` throws. */
export async function storeUpload(
  tools: UploadTools,
  file: Buffer | undefined,
  write: AuditedWrite,
): Promise<{ url: string }> {
  if (!file) throw new Failure('FILE_MISSING');
  return withStoredImage(tools, file, (url) => write(async () => ({ url: url as string })));
}

/** Throws INVALID for the address of an image that is not stored here; none is fine. */
export async function requireImageFromHere(images: ImageStore, url: string | null | undefined): Promise<void> {
  if (url && !(await images.has(url))) throw new Failure('INVALID', { message: failureSentences.imageNotFromHere });
}

/** Deletes an image that a row stopped naming, unless another row names it too. */
export async function deleteImageIfUnused({ db, images, imageColumns }: ImageTools, url: string): Promise<void> {
  if (!(await isImageUsed(db, imageColumns, url))) await images.remove(url);
}
