import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import sharp, { type Sharp } from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { imageLimits } from '#server/process/limits.ts';
import { openImageReencoder } from './image-reencoder.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'guichet-image-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const blank = (width: number, height: number, channels: 3 | 4 = 3) =>
  sharp({ create: { width, height, channels, background: '#c8102e' }, limitInputPixels: false });

/** With something on it, since what is all of one colour needs no memory as a WebP. */
async function pattern(width: number, height: number): Promise<Sharp> {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
  const tile = sharp({ create: { width: 250, height: 250, channels: 3, background: '#000', noise } });
  return blank(width, height).composite([{ input: await tile.png().toBuffer(), tile: true }]);
}

/** How many bytes a process grows by at most while it makes an image of this one, its code loaded before. */
async function measureGrowth(image: Sharp): Promise<number> {
  const file = path.join(folder, 'image');
  writeFileSync(file, await image.toBuffer());
  const script = `
    import { readFileSync } from 'node:fs';
    import { openImageReencoder } from '#server/features/uploads/image-reencoder.ts';
    import { imageLimits } from '#server/process/limits.ts';
    Object.assign(imageLimits, { decodeSeconds: 600 });
    const reencode = openImageReencoder();
    await reencode(Buffer.from(process.argv[1], 'base64'));
    const bytes = readFileSync(process.argv[2]);
    const before = process.resourceUsage().maxRSS;
    await reencode(bytes);
    console.log((process.resourceUsage().maxRSS - before) * 1024);`;
  const small = (await blank(64, 64).png().toBuffer()).toString('base64');
  const { stdout } = await promisify(execFile)(process.execPath, ['--eval', script, small, file], {
    cwd: path.resolve(import.meta.dirname, '../../..'),
  });
  return Number(stdout);
}

test.each<[string, () => Sharp | Promise<Sharp>]>([
  ['photograph of 40 megapixels in several scans', () => blank(8000, 5000).jpeg({ progressive: true })],
  ['WebP of 30 megapixels', async () => (await pattern(6000, 5000)).webp({ lossless: true, effort: 0 })],
  ['interlaced PNG of 20 megapixels', () => blank(5000, 4000).png({ progressive: true })],
  ['PNG of 16 bits with a mask', () => blank(2730, 2730, 4).toColourspace('rgb16').png()],
])('the largest %s that is taken has a process grow by less than 150 MB', async (_, make) => {
  const growth = await measureGrowth(await make());
  expect(growth).toBeGreaterThan(20e6);
  expect(growth).toBeLessThan(150e6);
});

test('what takes longer than it may is given up', async () => {
  // Some 6 s on a fast machine.
  const long = await blank(30_000, 20_000).toColourspace('grey16').png().toBuffer();
  Object.assign(imageLimits, { decodeSeconds: 1, decodedBytes: 4e9, pixels: 7e8, side: 30_000 });
  await expect(openImageReencoder()(long)).rejects.toMatchObject({ code: 'IMAGE_UNREADABLE' });
  Object.assign(imageLimits, { decodeSeconds: 600 });
  expect((await openImageReencoder()(long)).webp.length).toBeGreaterThan(100);
});
