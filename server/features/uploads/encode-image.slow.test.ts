import { readdirSync, readFileSync } from 'node:fs';
import sharp, { type Sharp } from 'sharp';
import { afterAll, expect, test, vi } from 'vitest';
import { imageLimits } from '#server/process/limits.ts';
import { backgroundForm } from '#server/testing/bodies.ts';
import { eventually } from '#server/testing/eventually.ts';
import { scanBomb } from '#server/testing/scan-bomb.ts';
import {
  callAsAdministrator,
  cleanUp,
  createDataFolder,
  otherLimits,
  startServer,
} from '#server/testing/server-process.ts';
import { openImageEncoder } from './encode-image.ts';

/** On machines that may be busy. */
vi.setConfig({ testTimeout: 180_000 });
afterAll(cleanUp);

/** Bounded by memory alone, whatever the machine's speed. */
const encode = openImageEncoder({ ...imageLimits, processorSeconds: 60, wallMs: 120_000 });

const blank = (width: number, height: number, channels: 3 | 4 = 3) =>
  sharp({ create: { width, height, channels, background: '#c8102e' }, limitInputPixels: false });

/** With something on it, since what is all of one colour needs no memory as a WebP. */
async function pattern(width: number, height: number): Promise<Sharp> {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
  const tile = sharp({ create: { width: 250, height: 250, channels: 3, background: '#000', noise } });
  return blank(width, height).composite([{ input: await tile.png().toBuffer(), tile: true }]);
}

test.each<[string, () => Sharp | Promise<Sharp>]>([
  ['a photograph of 50 megapixels', async () => (await pattern(8160, 6120)).jpeg({ quality: 20 })],
  ['one of 40 in several scans', () => blank(8000, 5000).jpeg({ progressive: true })],
  ['a WebP of 30 megapixels', async () => (await pattern(6000, 5000)).webp({ lossless: true, effort: 0 })],
  ['an interlaced PNG of 20 megapixels', () => blank(5000, 4000).png({ progressive: true })],
  ['a PNG of 16 bits with a mask', () => blank(2730, 2730, 4).toColourspace('rgb16').png()],
])('%s is taken in 150 MB', async (_, make) => {
  const { webp } = await encode(await (await make()).toBuffer());
  const { width, height } = await sharp(webp).metadata();
  expect(Math.max(width, height)).toBe(1600);
});

test.each<[string, () => Sharp | Promise<Sharp>]>([
  ['a PNG of 50 megapixels, interlaced', () => blank(8160, 6120).png({ progressive: true })],
  ['a PNG of 16 bits, interlaced', () => blank(4000, 4000, 4).toColourspace('rgb16').png({ progressive: true })],
  ['a WebP of 50 megapixels', async () => (await pattern(8160, 6120)).webp({ lossless: true, effort: 0 })],
  [
    'a JPEG of 50 megapixels in several scans, all colour kept',
    () => blank(7000, 7000).jpeg({ progressive: true, chromaSubsampling: '4:4:4', optimiseCoding: false }),
  ],
])('a small file that takes more is refused: %s', async (_, make) => {
  await expect(encode(await (await make()).toBuffer())).rejects.toMatchObject({ code: 'IMAGE_UNREADABLE' });
});

/** The processes that this one started and that decode images, by their ids. */
const decoders = (parent: number) =>
  readdirSync('/proc').filter((id) => {
    try {
      const [, after = ''] = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ');
      return (
        after.split(' ')[1] === String(parent) && readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('image-process')
      );
    } catch {
      return false;
    }
  });

test('a server that is told to stop while it decodes does not wait for that, and its decoder ends', async () => {
  // A minute of a processor, and of a busy machine many; with the product's own limits of a stop.
  const limits = otherLimits({
    'limits.ts': { imageLimits: { scans: 10_000, processorSeconds: 600, wallMs: 600_000 } },
  });
  const server = await startServer(createDataFolder(), limits);
  const admin = await callAsAdministrator(server);
  const long = scanBomb({ side: 4_000, coefficients: 63 });
  const sent = admin.send('POST', '/api/admin/upload-background', backgroundForm(long)).catch(() => {});
  const [decoder] = await eventually(() => {
    const found = decoders(server.pid);
    expect(found).toHaveLength(1);
    return found;
  });
  const began = performance.now();
  await server.end('SIGTERM');
  // 9 s, and what a busy machine adds.
  expect(performance.now() - began).toBeLessThan(30_000);
  await sent;
  await eventually(() => expect(readdirSync('/proc')).not.toContain(decoder));
});
