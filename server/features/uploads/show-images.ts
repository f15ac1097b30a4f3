import { hash } from 'node:crypto';
import { Failure } from '#contract/failure.ts';
import { imageSizes } from '#contract/uploads.ts';
import { openGate } from '#server/http/gate.ts';
import { imageLimits } from '#server/process/image-limits.ts';
import { ImageMemory } from './image-memory.ts';
import { fileOfUrl, namesOf, readFileName, urlOfFile } from './image-names.ts';
import type { ImageStore, SmallerImages } from './image-store.ts';
import { reencodeImage } from './reencode-image.ts';
import { longestSide } from './webp-side.ts';

/** A file of an image, to be shown. */
interface ShownImage {
  bytes: Buffer;
  etag: string;
  /** Whether this is for ever what is under its name; not so of an image in place of a size that is still to be made. */
  isLasting: boolean;
}

/** A store whose images are shown. */
export interface ShownImages extends ImageStore {
  /**
   * What is under the name of a file: an image, or one of its sizes. A size that an image is too small for is the image; one
   * that an image of an earlier version lacks is made and kept, or, while the decoder has too much to do, the image. Undefined
   * where there is no such image. Throws BUSY while the store is away.
   */
  show(name: string): Promise<ShownImage | undefined>;
}

/** What somebody looks into who runs this. */
interface ErrorLog {
  error(details: { err: unknown }, message: string): void;
}

/** Shows the images of a store, keeping in memory what is asked for most. */
export function showImages(store: ImageStore, log: ErrorLog): ShownImages {
  const memory = new ImageMemory<ShownImage>();
  const makings = new Map<string, Promise<SmallerImages>>();
  const inTurn = openGate(imageLimits.makingSizes);

  const show = (name: string): Promise<ShownImage | undefined> => memory.read(name, () => load(name));

  async function load(name: string): Promise<ShownImage | undefined> {
    const file = readFileName(name);
    const bytes = file && (await store.readFile(name));
    if (bytes) return shown(bytes);
    if (!file?.size) return undefined;
    const whole = await show(file.image);
    if (!whole) return undefined;
    const side = longestSide(whole.bytes);
    if (side === undefined || side <= file.size) return whole;
    try {
      return shown((await makeSizes(file.image, whole.bytes)).get(file.size) ?? whole.bytes);
    } catch (error) {
      if (error instanceof Failure) return { ...whole, isLasting: false };
      throw error;
    }
  }

  /** Makes the sizes of an image and keeps them, once for all who ask meanwhile. Throws BUSY. */
  function makeSizes(image: string, whole: Buffer): Promise<SmallerImages> {
    const known = makings.get(image);
    if (known) return known;
    const making = inTurn(async () => {
      const smaller = await smallerOf(whole);
      // One that cannot be kept, on a full disk, is shown all the same.
      await store.addSizes(urlOfFile(image), smaller).catch((error: unknown) => {
        log.error({ err: error }, 'the sizes of an image could not be kept');
      });
      return smaller;
    }).finally(() => makings.delete(image));
    makings.set(image, making);
    return making;
  }

  return {
    ...store,
    show,
    async remove(url) {
      await store.remove(url);
      const image = fileOfUrl(url);
      if (image) memory.forget(namesOf(image));
    },
  };
}

/** The sizes of an image; of one that cannot be decoded the image itself, so that nobody tries again. Throws BUSY. */
async function smallerOf(whole: Buffer): Promise<SmallerImages> {
  try {
    return (await reencodeImage(whole)).smaller;
  } catch (error) {
    if (error instanceof Failure && error.code === 'BUSY') throw error;
    return new Map(imageSizes.map((size) => [size, whole]));
  }
}

const shown = (bytes: Buffer): ShownImage => ({
  bytes,
  etag: `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`,
  isLasting: true,
});
