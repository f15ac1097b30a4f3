import * as z from 'zod/mini';
import { formed } from './shapes.ts';

/** 5 MB, read as 5 × 1024 × 1024 bytes. */
export const maximumImageBytes = 5 * 1024 * 1024;
export const imageTypes = ['image/jpeg', 'image/jpg', 'image/png', 'image/webp'] as const;

/** The message for images of other servers. It is here because every screen loads the page background's schema. */
export const imageNotFromHere = "L'image doit être téléchargée ici.";

/** The address of an image stored by this server, or null. */
export const storedImage = z.nullable(formed(/^\/uploads\/[a-f0-9]{32}\.webp$/, imageNotFromHere));

/** The longest sides of the resized copies of an image, in pixels. The image itself has at most `largestImage`. */
export const imageSizes = [160, 320, 640] as const;
export type ImageSize = (typeof imageSizes)[number];
export const largestImage = 1600;

/**
 * The address of the smallest size with at least that many pixels on its longest side, else the image's own. An image smaller than a size
 * is answered in its place. Addresses of other images stay unchanged.
 */
export function imageAt(url: string, pixels: number): string {
  const size = imageSizes.find((each) => each >= pixels);
  return size ? url.replace(/^(\/uploads\/\w{32})(?=\.webp$)/, `$1-${size}`) : url;
}

/** The sizes of a stored image as a `srcset`; `undefined` for other images. */
export function imageSources(url: string): string | undefined {
  if (imageAt(url, 0) === url) return undefined;
  return [...imageSizes.map((size) => `${imageAt(url, size)} ${size}w`), `${url} ${largestImage}w`].join();
}
