import sharp, { type Sharp } from 'sharp';
import { Failure } from '#contract/failure.ts';
import { imageSizes, largestImage } from '#contract/uploads.ts';
import { concurrencyLimit } from '#server/http/concurrency-limit.ts';
import { imageLimits } from './limits.ts';
import type { EncodedImage } from './store.ts';

/**
 * Makes a fresh WebP of an uploaded JPEG, PNG or WebP: upright, at most `largestImage` pixels wide or high, without
 * metadata or anything hidden; and the same at each smaller one of `imageSizes`. Damaged files are read as browsers read
 * them, as far as they go. Throws IMAGE_TYPE, IMAGE_UNREADABLE (nothing to be seen, or beyond `imageLimits`), or BUSY.
 */
export type EncodeImage = (bytes: Buffer) => Promise<EncodedImage>;

/** First bytes of the three accepted formats: a file's declared type proves nothing. */
const isJpeg = (bytes: Buffer) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]));
const signatures: ((bytes: Buffer) => boolean)[] = [
  isJpeg,
  (bytes) => bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])),
  (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
];

/**
 * An upper bound of a JPEG's scans: how often the two bytes that begin one occur. Each scan decodes all blocks again. 240 KB of them take
 * a minute, which no timeout of libjpeg ends.
 */
function countScans(bytes: Buffer): number {
  let scans = 0;
  for (let at = bytes.indexOf('ffda', 0, 'hex'); at >= 0; at = bytes.indexOf('ffda', at + 2, 'hex')) scans += 1;
  return scans;
}

sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'] });
sharp.concurrency(1);
sharp.cache(false);

type Limits = Pick<typeof imageLimits, 'pixels' | 'wholePixels' | 'seconds'>;

/** Makes the images of a server one at a time, each within `imageLimits`. */
export function openImageEncoder(limits: Readonly<Record<keyof Limits, number>> = imageLimits): EncodeImage {
  const inTurn = concurrencyLimit(imageLimits.encoding);
  return async (bytes) => {
    if (!signatures.some((matches) => matches(bytes))) throw new Failure('IMAGE_TYPE');
    if (isJpeg(bytes) && countScans(bytes) > imageLimits.scans) throw new Failure('IMAGE_UNREADABLE');
    return inTurn(() =>
      encode(bytes, limits).catch((cause: unknown) => {
        throw Object.assign(new Failure('IMAGE_UNREADABLE'), { cause });
      }),
    );
  };
}

async function encode(given: Buffer, limits: Readonly<Record<keyof Limits, number>>): Promise<EncodedImage> {
  const open = (bytes: Buffer, failOn: 'none' | 'truncated' | 'warning') =>
    sharp(bytes, { limitInputPixels: limits.pixels, failOn }).timeout({ seconds: limits.seconds });
  // Appends a JPEG's end marker, which may be missing. For a truncated PNG libpng reads the last 4 KB only if more bytes follow.
  const bytes = Buffer.concat([given, isJpeg(given) ? Buffer.from([0xff, 0xd9]) : Buffer.alloc(8_192)]);
  const { width: across, height: down, isProgressive } = await open(bytes, 'none').metadata();
  if (isProgressive && across * down > limits.wholePixels) throw new Error('too large to be decoded at once');
  const decode = (failOn: 'none' | 'warning') =>
    open(bytes, failOn)
      .autoOrient()
      .resize(largestImage, largestImage, { fit: 'inside', withoutEnlargement: true })
      .raw()
      .toBuffer({ resolveWithObject: true });
  const { data, info } = await decode('warning').catch(async () => {
    // Every scan of a progressive image covers the whole image.
    if (!isProgressive) await requireMost(open(isJpeg(given) ? given : bytes, 'truncated'), across, down);
    return decode('none');
  });
  const { width, height, channels } = info;
  const picture = () => sharp(data, { raw: { width, height, channels } });
  const toWebp = (image: Sharp) => image.webp({ quality: 78 }).toBuffer();
  const image: EncodedImage = { webp: await toWebp(picture()) };
  for (const size of imageSizes)
    if (size < Math.max(width, height))
      image[`webp${size}`] = await toWebp(picture().resize(size, size, { fit: 'inside' }));
  return image;
}

/** Throws if more than the last quarter is missing, as after a broken transfer. */
async function requireMost(damaged: Sharp, width: number, height: number): Promise<void> {
  const upper = { left: 0, top: 0, width, height: Math.ceil(height * 0.75) };
  await damaged.extract(upper).resize(1, 1).toBuffer();
}
