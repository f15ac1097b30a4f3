import type { Db } from '#server/database/connect.ts';
import { CannotStart } from '#server/process/cannot-start.ts';
import { imageLimits } from '#server/process/limits.ts';
import type { ImageStore } from './image-store.ts';
import type { ErrorLog } from './served-images.ts';
import { listUsedImages } from './store.ts';
import type { ImageTools } from './stored-images.ts';
import { imageOwner } from './tables.ts';

/** Marks the images of a store as this database's, if unmarked or by force; answers whether they are. Throws BUSY. */
export async function claimImages(
  db: Db,
  images: Pick<ImageStore, 'readOwner' | 'keepOwner'>,
  { force = false } = {},
): Promise<boolean> {
  await db.insert(imageOwner).values({}).onConflictDoNothing();
  const [own] = await db.select({ name: imageOwner.name }).from(imageOwner);
  if (!own) throw new Error('the database has no name for its images');
  const owner = await images.readOwner();
  if (owner === own.name) return true;
  if (owner !== undefined && !force) return false;
  await images.keepOwner(own.name);
  return true;
}

/**
 * Throws `CannotStart` for another database's images, which this one's clean-up would delete. An unreachable store is
 * logged: the clean-up asks again before it deletes anything.
 */
export async function requireOwnImages(db: Db, images: ImageStore, log: ErrorLog): Promise<void> {
  const areOwn = await claimImages(db, images).catch((error: unknown) => {
    log.error({ err: error }, 'the images could not be asked whose they are');
    return true;
  });
  if (areOwn) return;
  throw new CannotStart(
    `Les images de ce stockage sont celles d'un autre Guichet, d'après ${images.ownerPlace} : celui-ci les effacerait. Donnez un autre S3_PREFIX ou un autre DATA_DIR ; si ce sont bien les siennes, supprimez ${images.ownerPlace}, puis redémarrez.`,
  );
}

/** Deletes images that no row named within a day, and unfinished writes. Throws where they are another database's. */
export async function deleteUnusedImages({ db, images, imageColumns }: ImageTools): Promise<void> {
  if (!(await claimImages(db, images))) throw new Error(`not this database's images, says ${images.ownerPlace}`);
  const old = await images.listOlderThan(imageLimits.unusedSeconds);
  const used = await listUsedImages(db, imageColumns);
  for (const url of old) if (!used.has(url)) await images.remove(url);
  await images.removeUnfinished(imageLimits.unusedSeconds);
}
