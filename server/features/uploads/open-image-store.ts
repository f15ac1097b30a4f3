import { mkdir } from 'node:fs/promises';
import { CannotStart } from '#server/process/cannot-start.ts';
import { bucketOf, type StorageSettings } from '#server/process/storage-settings.ts';
import { type ImageStore, localImageStore } from './image-store.ts';
import type { ErrorLog } from './served-images.ts';

/** Opens the settings' folder or bucket. Throws `CannotStart` if a bucket refuses; an unreachable one is logged. */
export async function openImageStore(settings: StorageSettings, folder: string, log: ErrorLog): Promise<ImageStore> {
  const bucket = bucketOf(settings);
  if (!bucket) {
    await mkdir(folder, { recursive: true });
    return localImageStore(folder);
  }
  // Nobody else has a use for it.
  const { findBucketTrouble } = await import('./s3-bucket.ts');
  const { s3ImageStore } = await import('./s3-image-store.ts');
  try {
    const trouble = await findBucketTrouble(bucket);
    if (trouble)
      throw new CannotStart(
        `Le bucket « ${bucket.bucket} » refuse d'être utilisé (${trouble}) : vérifiez S3_ENDPOINT, S3_REGION, S3_BUCKET et les deux clés.`,
      );
  } catch (error) {
    if (error instanceof CannotStart) throw error;
    log.error({ err: error }, 'the bucket of images cannot be reached');
  }
  return s3ImageStore(bucket);
}
