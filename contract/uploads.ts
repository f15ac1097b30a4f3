import * as z from 'zod/mini';
import { formed } from './shapes.ts';

/** 5 MB, read as 5 × 1024 × 1024 bytes. */
export const maximumImageBytes = 5 * 1024 * 1024;
export const imageTypes = ['image/jpeg', 'image/jpg', 'image/png', 'image/webp'] as const;

/** What is said of another image than one of this server's; here, since every screen loads the page background's schema. */
export const imageNotFromHere = "L'image doit être téléchargée ici.";

/** The address of an image that this server stored, or none. */
export const storedImage = z.nullable(formed(/^\/uploads\/[a-f0-9]{32}\.webp$/, imageNotFromHere));

/**
 * The longest sides, in pixels, at which an image is kept beside itself; it is `largestImage` pixels wide or high at most, and
 * never larger than it was.
 */
export const imageSizes = [160, 320, 640] as const;
export type ImageSize = (typeof imageSizes)[number];
export const largestImage = 1600;

/**
 * The address of an image at the smallest size with so many pixels on its longest side, or else the image's own, as a size is
 * answered with that the image is too small for. Any other image than a stored one stays as it is.
 */
export function imageAt(url: string, pixels: number): string {
  const size = imageSizes.find((each) => each >= pixels);
  return size ? url.replace(/^(\/uploads\/\w{32})(?=\.webp$)/, `$1-${size}`) : url;
}

/** The sizes of a stored image, as `srcset` lists them for the browser to choose; nothing of any other image. */
export function imageSources(url: string): string | undefined {
  if (imageAt(url, 0) === url) return undefined;
  return [...imageSizes.map((size) => `${imageAt(url, size)} ${size}w`), `${url} ${largestImage}w`].join();
}
