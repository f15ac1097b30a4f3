import { imageLimits } from '#server/process/limits.ts';
import type { ImageTools } from './image-tools.ts';
import { listUsedImages } from './store.ts';

/** Deletes the images that no row has named within a day of their upload. */
export async function deleteUnusedImages({ db, images, imageColumns }: ImageTools): Promise<void> {
  const old = await images.listOlderThan(imageLimits.unusedSeconds);
  const used = await listUsedImages(db, imageColumns);
  for (const url of old) if (!used.has(url)) await images.remove(url);
}
