import sharp, { type Metadata, type Sharp } from 'sharp';
import { expect, test } from 'vitest';
import { imageLimits } from '#server/process/limits.ts';
import { decodedBytes, decodedJpegBytes, openImageReencoder } from './image-reencoder.ts';

const reencodeImage = openImageReencoder();
const blank = (width: number, height: number, channels: 3 | 4 = 3) =>
  sharp({ create: { width, height, channels, background: '#c8102e' }, limitInputPixels: false });
const jpeg = (options: object) =>
  blank(64, 64)
    .jpeg({ progressive: true, ...options })
    .toBuffer();

const deep = { depth: 'ushort' } as const;
const progressive = { isProgressive: true } as const;

test.each<[string, Partial<Metadata>, boolean]>([
  ['a PNG of 40 megapixels', { width: 8000, height: 5000 }, true],
  ['an interlaced one of 20', { width: 5000, height: 4000, ...progressive }, true],
  ['an interlaced one of 21', { width: 5000, height: 4200, ...progressive }, false],
  ['one of 16 bits with a mask', { width: 2730, height: 2730, channels: 4, ...deep }, true],
  ['the same, interlaced', { width: 2730, height: 2730, channels: 4, ...deep, ...progressive }, false],
  ['a WebP of 30 megapixels', { format: 'webp', width: 6000, height: 5000 }, true],
  ['a WebP of 31 megapixels', { format: 'webp', width: 6000, height: 5100 }, false],
])('%s: may be decoded, %j: %s', (_, header, may) => {
  const whole = { format: 'png', channels: 3, depth: 'uchar', isProgressive: false, ...header } as Metadata;
  expect(decodedBytes(whole) <= imageLimits.decodedBytes).toBe(may);
});

test('what a JPEG in several scans holds is read from its markers, whatever stands before them', async () => {
  const pixels = 64 * 64;
  const usual = await jpeg({ chromaSubsampling: '4:2:0' });
  expect(decodedJpegBytes(usual)).toBe(pixels * 1.5 * 2);
  expect(decodedJpegBytes(await jpeg({ chromaSubsampling: '4:4:4' }))).toBe(pixels * 3 * 2);
  expect(decodedJpegBytes(await blank(64, 64).toColourspace('b-w').jpeg({ progressive: true }).toBuffer())).toBe(
    pixels * 2,
  );
  expect(decodedJpegBytes(await blank(64, 64).toColourspace('cmyk').jpeg({ progressive: true }).toBuffer())).toBe(
    pixels * 8,
  );
  const filled = Buffer.concat([usual.subarray(0, 2), Buffer.from([0xff, 0xff]), usual.subarray(2)]);
  expect(decodedJpegBytes(filled)).toBe(pixels * 1.5 * 2);

  const half = Buffer.from(usual);
  half.writeUInt8(0x21, half.indexOf(Buffer.from([0xff, 0xc2])) + 11);
  expect(decodedJpegBytes(half)).toBe(pixels * 2 * 2);
  // Which sharp cannot tell from the usual.
  expect((await sharp(half).metadata()).chromaSubsampling).toBe('4:2:0');
});

test('a JPEG in a single scan holds nothing, one that is not progressive and has a scan for each colour does', async () => {
  const single = await jpeg({ progressive: false });
  expect(decodedJpegBytes(single)).toBe(0);
  const several = Buffer.from(single);
  several.writeUInt8(1, several.indexOf(Buffer.from([0xff, 0xda])) + 4);
  expect(decodedJpegBytes(several)).toBe(64 * 64 * 1.5 * 2);
});

test.each<[string, (whole: Buffer) => Buffer]>([
  ['ends before its scan', (whole) => whole.subarray(0, whole.indexOf(Buffer.from([0xff, 0xda])))],
  [
    'has something else where a marker should be',
    (whole) => Buffer.concat([whole.subarray(0, 2), Buffer.from('x'), whole.subarray(2)]),
  ],
])('a JPEG that %s is more than may be decoded', async (_, change) => {
  expect(decodedJpegBytes(change(await jpeg({ progressive: false })))).toBe(Number.POSITIVE_INFINITY);
});

test.each<[string, () => Sharp]>([
  ['PNG of 16 bits, interlaced', () => blank(2200, 2200, 4).toColourspace('rgb16').png({ progressive: true })],
  ['PNG of 17,000 pixels across', () => blank(17_000, 2).png()],
  [
    'JPEG in several scans, all colour kept',
    () => blank(5000, 5000).jpeg({ progressive: true, chromaSubsampling: '4:4:4', optimiseCoding: false }),
  ],
])('a small file that takes too much is refused before it is decoded: %s', async (_, make) => {
  await expect(reencodeImage(await make().toBuffer())).rejects.toMatchObject({ code: 'IMAGE_UNREADABLE' });
});

// They decode 120 MB each.
test.each<[string, () => Sharp, number]>([
  ['50 megapixels in one scan', () => blank(8160, 6120).jpeg(), 1200],
  ['40 in several', () => blank(8000, 5000).jpeg({ progressive: true }), 1000],
])('the photograph of a phone is taken: %s', async (_, make, height) => {
  const { webp } = await reencodeImage(await make().toBuffer());
  expect(await sharp(webp).metadata()).toMatchObject({ format: 'webp', width: 1600, height });
});
