import type { ImageStore } from './image-store.ts';
import { reencodeImage } from './reencode-image.ts';

/**
 * Stores an image with its sizes before the change that will name its URL, so that a row never names a missing one; takes it
 * away again if the change fails. Without an image the change gets null. Throws what `reencodeImage` throws.
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
    if (url) await images.remove(url);
    throw error;
  }
}
