import { Failure } from '#contract/failure.ts';
import { wasUndone } from '#server/database/connect.ts';
import type { ImageStore } from './image-store.ts';
import { reencodeImage } from './reencode-image.ts';

/**
 * Stores an image with its sizes before the change that will name its URL, so that a row never names a missing one; takes it
 * away again where the change was refused or undone. After a failure at which it may have been made, such as an answer to
 * COMMIT that never came, the image stays, and the clean-up deletes it if no row names it. Without an image the change gets
 * null. Throws what `reencodeImage` throws.
 */
export async function withStoredImage<T>(
  images: ImageStore,
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
