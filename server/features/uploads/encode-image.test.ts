import sharp, { type Sharp } from 'sharp';
import { describe, expect, test } from 'vitest';
import { scanBomb } from '#server/testing/scan-bomb.ts';
import { openImageEncoder } from './encode-image.ts';
import { imageLimits } from './limits.ts';

const encode = openImageEncoder();
const unreadable = { code: 'IMAGE_UNREADABLE' };
const flat = (width = 64, height = 48) => sharp({ create: { width, height, channels: 3, background: '#c8102e' } });
/** With a picture in every block. */
const drawn = async () => {
  const stripes = Buffer.from(Array.from({ length: 240 * 180 * 3 }, (_, at) => (at * at * 31) % 251));
  return sharp(stripes, { raw: { width: 240, height: 180, channels: 3 } });
};
const bytesOf = async (image: Sharp | Promise<Sharp>, format: 'jpeg' | 'png' | 'webp', options = {}) =>
  (await image).toFormat(format, options).toBuffer();
const changed = (bytes: Buffer, marker: string, behind: number, ...values: number[]) => {
  const copy = Buffer.from(bytes);
  copy.set(values, copy.lastIndexOf(Buffer.from(marker, 'hex')) + behind);
  return copy;
};
const without = (bytes: Buffer, share: number) => bytes.subarray(0, Math.floor(bytes.length * (1 - share)));

test.each<[string, () => Promise<Buffer>]>([
  // Se, and Ah with Al, of the one scan: https://github.com/lovell/sharp/issues/1578.
  ['a JPEG with the odd end of a Samsung', async () => changed(await bytesOf(drawn(), 'jpeg'), 'ffda', 12, 0, 0)],
  ['a JPEG without its end marker', async () => (await bytesOf(drawn(), 'jpeg')).subarray(0, -2)],
  ['a JPEG without its last 3 %', async () => without(await bytesOf(drawn(), 'jpeg'), 0.03)],
  ['a progressive one', async () => without(await bytesOf(drawn(), 'jpeg', { progressive: true }), 0.03)],
  ['a PNG without its end', async () => (await bytesOf(drawn(), 'png')).subarray(0, -12)],
  ['an interlaced one', async () => (await bytesOf(drawn(), 'png', { progressive: true })).subarray(0, -12)],
  ['a WebP with something behind it', async () => Buffer.concat([await bytesOf(drawn(), 'webp'), Buffer.alloc(99, 7)])],
])('what every browser shows is taken: %s', async (_, make) => {
  const { webp } = await encode(await make());
  const { channels } = await sharp(webp).stats();
  expect(await sharp(webp).metadata()).toMatchObject({ format: 'webp' });
  // The picture itself, which is of all brightnesses.
  expect(channels[0]?.stdev).toBeGreaterThan(20);
});

test.each<[string, () => Promise<Buffer>]>([
  [
    'a JPEG before its scan',
    async () => {
      const whole = await bytesOf(drawn(), 'jpeg');
      return whole.subarray(0, whole.indexOf('ffda', 0, 'hex'));
    },
  ],
  [
    'a PNG whose pixels are noise',
    async () => {
      const whole = await bytesOf(drawn(), 'png');
      return Buffer.concat([whole.subarray(0, whole.indexOf('IDAT') + 4), Buffer.alloc(whole.length, 0xa5)]);
    },
  ],
  ['a PNG cut in half', async () => without(await bytesOf(drawn(), 'png'), 0.5)],
  ['a JPEG without height', async () => changed(await bytesOf(drawn(), 'jpeg'), 'ffc0', 5, 0, 0)],
])('what no browser shows is refused, and what has half of the picture: %s', async (_, make) => {
  await expect(encode(await make())).rejects.toMatchObject(unreadable);
});

describe('work that has no end is ended', () => {
  test.each([
    { side: 5_000, coefficients: 63 },
    { side: 1_000, coefficients: 20 },
  ])('a JPEG of $side pixels in scans of each of $coefficients coefficients is never decoded', async (given) => {
    // With all the room and time that it takes, what is decoded is taken in the end.
    const patient = openImageEncoder({ pixels: 1e9, wholePixels: 1e9, seconds: 3_600 });
    await expect(patient(scanBomb(given))).rejects.toMatchObject(unreadable);
  });

  test('a picture of more pixels than it may have is refused, of fewer where it is decoded as a whole', async () => {
    const limited = openImageEncoder({ ...imageLimits, pixels: 9e6, wholePixels: 1e6 });
    for (const [width, options, isTaken] of [
      [3_000, {}, true],
      [3_001, {}, false],
      [300, { progressive: true }, true],
      [3_000, { progressive: true }, false],
    ] as const) {
      const encoding = limited(await bytesOf(flat(width, 3_000), 'png', options));
      if (isTaken) expect((await encoding).webp.length).toBeGreaterThan(20);
      else await expect(encoding).rejects.toMatchObject(unreadable);
    }
  });
});
