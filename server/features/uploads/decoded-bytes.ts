import type { Metadata } from 'sharp';

/**
 * The bytes that decoding a PNG or WebP holds at once, by its header: what libvips was measured to hold, or more. An interlaced PNG
 * is kept whole, samples of 16 bits are averaged as floats, and a lossless WebP, which each counts as, keeps four bytes for a pixel.
 */
export function decodedBytes({ format, width, height, channels, depth, isProgressive }: Metadata): number {
  if (format === 'webp') return width * height * 4;
  return width * height * channels * (depth === 'uchar' ? 1 : 4) * (isProgressive ? 2 : 1);
}
