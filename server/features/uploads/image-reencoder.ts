import type { Sharp } from 'sharp';
import { Failure } from '#contract/failure.ts';
import { type ImageSize, imageSizes, largestImage } from '#contract/uploads.ts';
import { concurrencyLimit } from '#server/http/concurrency-limit.ts';
import { imageLimits } from '#server/process/image-limits.ts';
import { decodedBytes } from './decoded-bytes.ts';
import { decodedJpegBytes } from './decoded-jpeg-bytes.ts';
import type { SmallerImages } from './image-store.ts';

/** First bytes of the three formats taken; a file's declared type is the sender's word only. */
const isJpeg = (bytes: Buffer) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]));
const signatures: ((bytes: Buffer) => boolean)[] = [
  isJpeg,
  (bytes) => bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])),
  (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
];

/** Loading sharp takes a moment and memory: only a server that gets an image does. */
async function loadSharp() {
  const { default: sharp } = await import('sharp');
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
  });
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
}

const webpOptions = { quality: 78 };

/**
 * Makes a fresh WebP of an uploaded JPEG, PNG or WebP: upright, at most `largestImage` pixels wide or high, without metadata or
 * anything hidden behind the picture; and the same at each of `imageSizes` that is smaller than that. The picture is decoded
 * once, and only where its header says that this stays within `imageLimits`. Throws IMAGE_TYPE, IMAGE_UNREADABLE (damaged, or
 * beyond those limits), or BUSY.
 */
export type ReencodeImage = (bytes: Buffer) => Promise<{ webp: Buffer; smaller: SmallerImages }>;

/** Makes the images of a server, `imageLimits.decoding` of them at a time. */
export function openImageReencoder(): ReencodeImage {
  const inTurn = concurrencyLimit(imageLimits.decoding);
  let loading: ReturnType<typeof loadSharp> | undefined;
  return async (bytes) => {
    if (!signatures.some((matches) => matches(bytes))) throw new Failure('IMAGE_TYPE');
    loading ??= loadSharp();
    const sharp = await loading;
    return inTurn(() => reencode(sharp, bytes)).catch((error: unknown) => {
      throw error instanceof Failure ? error : new Failure('IMAGE_UNREADABLE');
    });
  };
}

async function reencode(sharp: Awaited<ReturnType<typeof loadSharp>>, bytes: Buffer) {
  const image = sharp(bytes, { limitInputPixels: imageLimits.pixels, failOn: 'warning' });
  if (!(await isWithinLimits(bytes, image))) throw new Failure('IMAGE_UNREADABLE');
  const { data, info } = await image
    .timeout({ seconds: imageLimits.decodeSeconds })
    .autoOrient()
    .resize(largestImage, largestImage, { fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const picture = () => sharp(data, { raw: { width, height, channels } });
  const smaller = new Map<ImageSize, Buffer>();
  for (const size of imageSizes)
    if (size < Math.max(width, height))
      smaller.set(size, await picture().resize(size, size, { fit: 'inside' }).webp(webpOptions).toBuffer());
  return { webp: await picture().webp(webpOptions).toBuffer(), smaller };
}

/** By what its first bytes say, before anything of it is decoded. */
async function isWithinLimits(bytes: Buffer, image: Sharp): Promise<boolean> {
  if (isJpeg(bytes)) return decodedJpegBytes(bytes) <= imageLimits.decodedBytes;
  const header = await image.metadata();
  return Math.max(header.width, header.height) <= imageLimits.side && decodedBytes(header) <= imageLimits.decodedBytes;
}
