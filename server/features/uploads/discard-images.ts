import type { Db } from '#server/database/connect.ts';
import type { ImageStore } from './image-store.ts';
import { isImageNamed, listNamedImages } from './store.ts';

interface Tools {
  db: Db;
  images: ImageStore;
}

/** Deletes an image that a row stopped naming, unless another row names it too. */
export async function discardImage({ db, images }: Tools, url: string): Promise<void> {
  if (!(await isImageNamed(db, url))) await images.remove(url);
}

/** Seconds an uploaded image may wait for the row that will name it: a form that is never saved leaves one behind. */
const patience = 24 * 3600;

/** Deletes the images that no row has named within a day of their upload. */
export async function sweepImages({ db, images }: Tools): Promise<void> {
  const old = await images.listOlderThan(patience);
  const kept = await listNamedImages(db);
  for (const url of old) if (!kept.has(url)) await images.remove(url);
}
