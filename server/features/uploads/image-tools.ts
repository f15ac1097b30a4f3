import type { Db } from '#server/database/connect.ts';
import type { CountUpload } from '#server/http/route.ts';
import type { ReencodeImage } from './image-reencoder.ts';
import type { ImageStore } from './image-store.ts';
import type { ImageColumn } from './store.ts';

/** What the slices that show images work with. */
export interface ImageTools {
  db: Db;
  images: ImageStore;
  /** Every column of the database that holds an image's URL; each slice declares its own. */
  imageColumns: readonly ImageColumn[];
}

/** The same for those that take images. */
export interface UploadTools extends ImageTools {
  reencodeImage: ReencodeImage;
  countUpload: CountUpload;
}
