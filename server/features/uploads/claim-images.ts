import type { Db } from '#server/database/connect.ts';
import type { ImageStore } from './image-store.ts';
import { imageOwner } from './tables.ts';

/**
 * Marks the images of a store as this database's where they have no mark, or in any case by force. Answers whether they
 * are this database's then. Throws BUSY while the store is away.
 */
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
