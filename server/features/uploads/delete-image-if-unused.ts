import type { ImageTools } from './image-tools.ts';
import { isImageUsed } from './store.ts';

/** Deletes an image that a row stopped naming, unless another row names it too. */
export async function deleteImageIfUnused({ db, images, imageColumns }: ImageTools, url: string): Promise<void> {
  if (!(await isImageUsed(db, imageColumns, url))) await images.remove(url);
}
