import { describe, expect, test } from 'vitest';
import { imageAt, imageSources } from './uploads.ts';

const stem = `/uploads/${'a1'.repeat(16)}`;
const others = ['/icon.svg', `${stem}.png`, `${stem}-160.webp`, `https://elsewhere.example${stem}.webp`, 'blob:x', ''];

describe('an image at so many pixels', () => {
  test.each([
    [0, `${stem}-160.webp`],
    [160, `${stem}-160.webp`],
    [160.5, `${stem}-320.webp`],
    [320, `${stem}-320.webp`],
    [640, `${stem}-640.webp`],
    [641, `${stem}.webp`],
    [5_000, `${stem}.webp`],
  ])('%d: the smallest size that has them', (pixels, expected) => {
    expect(imageAt(`${stem}.webp`, pixels)).toBe(expected);
  });

  test.each(others)('that is not kept in sizes stays as it is: "%s"', (url) => {
    expect(imageAt(url, 100)).toBe(url);
  });
});

test('the browser has all sizes of a stored image to choose from, and of no other', () => {
  expect(imageSources(`${stem}.webp`)).toBe(
    `${stem}-160.webp 160w,${stem}-320.webp 320w,${stem}-640.webp 640w,${stem}.webp 1600w`,
  );
  expect(others.map(imageSources)).toEqual(others.map(() => undefined));
});
