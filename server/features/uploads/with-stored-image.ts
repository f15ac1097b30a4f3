import type { ImageStore } from './image-store.ts';
import { reencodeImage } from './reencode-image.ts';

/**
 * Stores an image, at most `width` pixels wide or high, before the change that will name its URL, so that a row never names
 * a missing one; takes it away again if the change fails. Without an image the change gets null.
 */
export async function withStoredImage<T>(
  images: ImageStore,
  image: { bytes: Buffer | undefined; width: number },
  change: (url: string | null) => Promise<T>,
): Promise<T> {
  const url = image.bytes ? await images.put(await reencodeImage(image.bytes, image.width)) : null;
  try {
    return await change(url);
  } catch (error) {
    if (url) await images.remove(url);
    throw error;
  }
}
