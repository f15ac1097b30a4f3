import { hash } from 'node:crypto';
import { ImageMemory } from './image-memory.ts';
import { fileOfUrl, namesOf, readFileName } from './image-names.ts';
import type { ImageStore } from './image-store.ts';

/** A file of an image, to be shown. */
interface ShownImage {
  bytes: Buffer;
  etag: string;
}

/** A store whose images are shown; what it cannot delete at once it says in the log, and the clean-up deletes. */
export interface ServedImages extends ImageStore {
  /**
   * What is under the name of a file: an image, or one of its sizes. A size that an image is too small for is the image. Undefined
   * where there is no such image. Throws BUSY while the store is away.
   */
  show(name: string): Promise<ShownImage | undefined>;
}

/** For the operator to look into. */
export interface ErrorLog {
  error(details: { err: unknown }, message: string): void;
}

/** Shows the images of a store, keeping in memory what is asked for most. */
export function serveImages(store: ImageStore, log: ErrorLog): ServedImages {
  const memory = new ImageMemory<ShownImage>();

  const show = (name: string): Promise<ShownImage | undefined> => memory.read(name, () => load(name));

  async function load(name: string): Promise<ShownImage | undefined> {
    const file = readFileName(name);
    const bytes = file && (await store.readFile(name));
    if (bytes) return { bytes, etag: `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"` };
    return file?.size ? show(file.image) : undefined;
  }

  return {
    ...store,
    show,
    async remove(url) {
      // The change that nothing shows it after is made: what cannot be deleted now is left to the clean-up.
      await store.remove(url).catch((error: unknown) => {
        log.error({ err: error }, 'an image could not be deleted');
      });
      const image = fileOfUrl(url);
      if (image) memory.forget(namesOf(image));
    },
  };
}
