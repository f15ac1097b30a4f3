import { Failure } from '#contract/failure.ts';
import type { Db } from '#server/database/connect.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import type { CountUpload } from '#server/http/upload.ts';
import type { EncodeImage } from './encode-image.ts';
import { insertImage } from './store.ts';

/** The tools of slices with images. */
export interface UploadTools {
  db: Db;
  encodeImage: EncodeImage;
  countUpload: CountUpload;
}

/** Stores an uploaded image that no row names yet, and answers its address. Throws FILE_MISSING, and as `EncodeImage`. */
export async function storeUpload(
  { encodeImage }: UploadTools,
  file: Buffer | undefined,
  write: AuditedWrite,
): Promise<{ url: string }> {
  if (!file) throw new Failure('FILE_MISSING');
  const image = await encodeImage(file);
  return write(async (tx) => ({ url: await insertImage(tx, image) }));
}
