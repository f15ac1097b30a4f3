import * as z from 'zod/mini';
import { formed } from './shapes.ts';

/** 5 MB, read as 5 × 1024 × 1024 bytes. */
export const maximumImageBytes = 5 * 1024 * 1024;
export const imageTypes = ['image/jpeg', 'image/jpg', 'image/png', 'image/webp'] as const;

/** What is said of another image than one of this server's; here, since every screen loads the page background's schema. */
export const imageNotFromHere = "L'image doit être téléchargée ici.";

const storedForm = /^\/uploads\/[a-f0-9]{32}\.webp$/;

/** The address of an image that this server stored, or none. */
export const storedImage = z.nullable(formed(storedForm, imageNotFromHere));

/**
 * The longest sides, in pixels, at which an image is kept beside itself; it is `largestImage` pixels wide or high at most, and
 * never larger than it was.
 */
export const imageSizes = [160, 320, 640] as const;
export type ImageSize = (typeof imageSizes)[number];
export const largestImage = 1600;

/** A size that an image is too small for is answered with the image itself. */
const sized = (url: string, size: ImageSize) => url.replace('.webp', `-${size}.webp`);

/**
 * The address of an image at the smallest size with so many pixels on its longest side, or else the image's own; any other image
 * than a stored one stays as it is.
 */
export function imageAt(url: string, pixels: number): string {
  const size = storedForm.test(url) && imageSizes.find((each) => each >= pixels);
  return size ? sized(url, size) : url;
}

/** The sizes of a stored image, as `srcset` lists them for the browser to choose; nothing of any other image. */
export function imageSources(url: string): string | undefined {
  if (!storedForm.test(url)) return undefined;
  return [...imageSizes.map((size) => `${sized(url, size)} ${size}w`), `${url} ${largestImage}w`].join();
}
