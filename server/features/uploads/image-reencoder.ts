import type { Metadata, Sharp } from 'sharp';
import { Failure } from '#contract/failure.ts';
import { type ImageSize, imageSizes, largestImage } from '#contract/uploads.ts';
import { concurrencyLimit } from '#server/http/concurrency-limit.ts';
import { imageLimits } from '#server/process/limits.ts';
import type { SmallerImages } from './image-store.ts';

/**
 * The bytes that decoding a PNG or WebP holds at once, by its header: what libvips was measured to hold, or more. An
 * interlaced PNG is kept whole, samples of 16 bits are averaged as floats, and a lossless WebP, which each counts as, keeps
 * four bytes for a pixel.
 */
export function decodedBytes({ format, width, height, channels, depth, isProgressive }: Metadata): number {
  if (format === 'webp') return width * height * 4;
  return width * height * channels * (depth === 'uchar' ? 1 : 4) * (isProgressive ? 2 : 1);
}

/**
 * The bytes that decoding a JPEG holds at once, by its markers (ITU T.81, annex B), since sharp needs as much memory for the
 * header. A single scan holds next to nothing; several keep all coefficients, two bytes each. Infinite without a scan.
 */
export function decodedJpegBytes(bytes: Buffer): number {
  let frame: ReturnType<typeof readFrame> | undefined;
  for (let at = 2; at + 10 < bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes.readUInt8(at + 1);
    if (isFrame(marker)) frame = readFrame(bytes.subarray(at));
    if (marker === startOfScan && frame)
      return frame.isProgressive || bytes.readUInt8(at + 4) < frame.components ? frame.coefficients * 2 : 0;
    // A fill byte stands alone.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return Number.POSITIVE_INFINITY;
}

const startOfScan = 0xda;
/** Among the markers of frames three have another meaning. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Marker, length and precision, then height, width, the number of components, and three bytes for each of them. */
function readFrame(bytes: Buffer) {
  const components = bytes.readUInt8(9);
  // How often a component is sampled across, in the upper half of a byte, and down, in the lower.
  const factors = [...bytes.subarray(10, 10 + components * 3)].filter((_, index) => index % 3 === 1);
  const across = factors.map((each) => each >> 4);
  const down = factors.map((each) => each & 15);
  const samples = across.reduce((sum, each, index) => sum + each * (down[index] ?? 0), 0);
  const pixels = bytes.readUInt16BE(5) * bytes.readUInt16BE(7);
  return {
    components,
    coefficients: (pixels * samples) / (Math.max(...across) * Math.max(...down)),
    isProgressive: (bytes.readUInt8(1) & 3) === 2,
  };
}

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
 * Makes a fresh WebP of an uploaded JPEG, PNG or WebP: upright, at most `largestImage` pixels wide or high, without
 * metadata or anything hidden; and the same at each smaller one of `imageSizes`. It is decoded once, within `imageLimits`
 * by its header. Throws IMAGE_TYPE, IMAGE_UNREADABLE (damaged, or beyond those limits), or BUSY.
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
