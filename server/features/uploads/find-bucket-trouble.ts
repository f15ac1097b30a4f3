import type { BucketSettings } from '#server/process/storage-settings.ts';
import { codeOf, openBucket } from './s3-bucket.ts';

/** What a bucket says against being used, as S3's code or status; undefined where it can be. Throws BUSY while it is away. */
export async function findBucketTrouble(settings: BucketSettings): Promise<string | undefined> {
  const bucket = openBucket(settings);
  const query = { 'list-type': '2', 'max-keys': '1', ...(bucket.prefix && { prefix: bucket.prefix }) };
  const { status, body } = await bucket.send({ method: 'GET', query });
  return status === 200 ? undefined : codeOf(body) || `HTTP ${status}`;
}
