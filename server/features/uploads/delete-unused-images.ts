import { imageLimits } from '#server/process/image-limits.ts';
import { claimImages } from './claim-images.ts';
import type { ImageTools } from './image-tools.ts';
import { listUsedImages } from './store.ts';

/**
 * Deletes the images that no row has named within a day of their upload, and what writes that never ended left behind. Throws, and
 * deletes nothing, where the images are another database's.
 */
export async function deleteUnusedImages({ db, images, imageColumns }: ImageTools): Promise<void> {
  if (!(await claimImages(db, images))) throw new Error(`not this database's images, says ${images.ownerPlace}`);
  const old = await images.listOlderThan(imageLimits.unusedSeconds);
  const used = await listUsedImages(db, imageColumns);
  for (const url of old) if (!used.has(url)) await images.remove(url);
  await images.removeUnfinished(imageLimits.unusedSeconds);
}
