import sharp from 'sharp';
import { expect, test } from 'vitest';
import { longestSide } from './webp-side.ts';

const picture = (width: number, height: number, channels: 3 | 4) =>
  sharp({ create: { width, height, channels, background: { r: 200, g: 30, b: 60, alpha: 0.5 } } });

test.each([
  [1, 1],
  [480, 320],
  [97, 1600],
])('%i × %i is read from the head of each kind of WebP', async (width, height) => {
  const kinds = {
    'VP8 ': picture(width, height, 3).webp(),
    VP8L: picture(width, height, 3).webp({ lossless: true }),
    VP8X: picture(width, height, 4).webp(),
  };
  for (const [kind, made] of Object.entries(kinds)) {
    const webp = await made.toBuffer();
    expect(webp.toString('latin1', 12, 16)).toBe(kind);
    expect(longestSide(webp), kind).toBe(Math.max(width, height));
  }
});

test('what is no WebP, or not its whole head, has no side', async () => {
  const webp = await picture(40, 40, 3).webp().toBuffer();
  const png = await picture(40, 40, 3).png().toBuffer();
  const odd = Buffer.from(webp);
  odd.write('ODD ', 12, 'latin1');
  for (const bytes of [Buffer.alloc(0), webp.subarray(0, 29), png, odd]) expect(longestSide(bytes)).toBeUndefined();
});
