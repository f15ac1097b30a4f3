import type { Db } from '#server/database/connect.ts';
import { CannotStart } from '#server/process/cannot-start.ts';
import { claimImages } from './claim-images.ts';
import type { ImageStore } from './image-store.ts';
import type { ErrorLog } from './serve-images.ts';

/**
 * Throws `CannotStart` where the images are marked as another database's, whose rows name what this one's clean-up would delete. A
 * store that cannot be asked now is said in the log; the clean-up asks again before it deletes anything.
 */
export async function requireOwnImages(db: Db, images: ImageStore, log: ErrorLog): Promise<void> {
  const areOwn = await claimImages(db, images).catch((error: unknown) => {
    log.error({ err: error }, 'the images could not be asked whose they are');
    return true;
  });
  if (areOwn) return;
  throw new CannotStart(
    `Les images de ce stockage sont celles d’un autre Guichet, d’après ${images.ownerPlace} : celui-ci les effacerait. Donnez un autre S3_PREFIX ou un autre DATA_DIR ; si ce sont bien les siennes, supprimez ${images.ownerPlace}, puis redémarrez.`,
  );
}
