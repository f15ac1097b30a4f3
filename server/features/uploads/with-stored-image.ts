import { Failure } from '#contract/failure.ts';
import { wasUndone } from '#server/database/connect.ts';
import type { UploadTools } from './image-tools.ts';

/**
 * Stores an image with its sizes before the change that names its URL, so that a row never names a missing one. Deletes it
 * where the change was refused or undone. Where the outcome is in doubt, such as a lost answer to COMMIT, the image stays.
 * The clean-up deletes it if no row names it. Without an image the change gets
 * null. Throws what `reencodeImage` throws.
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
