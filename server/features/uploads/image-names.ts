import { type ImageSize, imageSizes } from '#contract/uploads.ts';

const imageUrl = /^\/uploads\/([a-f0-9]{32}\.webp)$/;
const fileName = new RegExp(`^([a-f0-9]{32})(?:-(${imageSizes.join('|')}))?\\.webp$`);

/** A file of an image: the image itself, or one of its sizes. */
export interface ImageFile {
  /** The file of the image itself. */
  image: string;
  size: ImageSize | undefined;
}

/** What a file's name says; nothing of one that no image's file has. */
export function readFileName(name: string): ImageFile | undefined {
  const [, stem, size] = fileName.exec(name) ?? [];
  if (!stem) return undefined;
  return { image: `${stem}.webp`, size: imageSizes.find((each) => String(each) === size) };
}

/** Beside the images: whose they are. No image's file is called so, so it is neither shown, listed nor backed up. */
export const ownerFile = 'owner.txt';

/** The file of an image by its address; nothing for an address that no image here has. */
export const fileOfUrl = (url: string): string | undefined => imageUrl.exec(url)?.[1];

export const urlOfFile = (image: string): string => `/uploads/${image}`;

/** The name of an image's file at a size. */
export const nameOfSize = (image: string, size: ImageSize): string => image.replace('.webp', `-${size}.webp`);

/** The names that files of an image may have, its own first. */
export const namesOf = (image: string): string[] => [image, ...imageSizes.map((size) => nameOfSize(image, size))];
