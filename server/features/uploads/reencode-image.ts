import { Failure } from '#contract/failure.ts';
import { openGate } from '#server/http/gate.ts';
import { imageLimits } from '#server/process/limits.ts';

/** What an image is shown as: its longest side in pixels, twice that of the screen for sharp displays. */
export const imageWidths = { service: 480, paymentType: 320, pageBackground: 1600 } as const;

/** First bytes of the three formats taken; a file's declared type is the sender's word only. */
const signatures: ((bytes: Buffer) => boolean)[] = [
  (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])),
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
let loading: ReturnType<typeof loadSharp> | undefined;

const inTurn = openGate(imageLimits.decoding);

/**
 * Makes a fresh WebP of an uploaded JPEG, PNG or WebP: upright, at most `width` pixels wide or high, without metadata
 * or anything hidden behind the picture. Throws IMAGE_TYPE, IMAGE_UNREADABLE (damaged, or over 40 megapixels), or BUSY.
 */
export async function reencodeImage(bytes: Buffer, width: number): Promise<Buffer> {
  if (!signatures.some((matches) => matches(bytes))) throw new Failure('IMAGE_TYPE');
  loading ??= loadSharp();
  const sharp = await loading;
  const picture = sharp(bytes, { limitInputPixels: imageLimits.pixels, failOn: 'warning' })
    .autoOrient()
    .resize(width, width, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 78 });
  return inTurn(() => picture.toBuffer()).catch((error: unknown) => {
    throw error instanceof Failure ? error : new Failure('IMAGE_UNREADABLE');
  });
}
