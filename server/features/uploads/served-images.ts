import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { imageLimits } from '#server/process/limits.ts';
import { fileOfUrl, type ImageStore, namesOf, readFileName } from './image-store.ts';

/** A file of an image, to be shown. */
export interface ShownImage {
  bytes: Buffer;
  etag: string;
}

type Load = () => Promise<ShownImage | undefined>;

/** Stands for an image that the store does not have: the cache cannot hold undefined. */
const absent: ShownImage = { bytes: Buffer.alloc(0), etag: '' };

/** Images by name; concurrent reads share a load. While a later load fails, the image in memory still counts. */
export class ImageMemory {
  readonly #cache: LRUCache<string, ShownImage, Load>;

  constructor(clock: { now(): number } = performance) {
    this.#cache = new LRUCache<string, ShownImage, Load>({
      maxSize: imageLimits.memoryBytes,
      sizeCalculation: ({ bytes }) => Math.max(bytes.length, 1),
      ttl: imageLimits.memoryMs,
      perf: clock,
      // Without a timer per millisecond.
      ttlResolution: 0,
      // Whoever already waits for an image that is forgotten meanwhile still gets it.
      ignoreFetchAbort: true,
      async fetchMethod(_name, stale, { context: load, options }) {
        // Without a stale image the option would turn the failure into undefined.
        options.allowStaleOnFetchRejection = stale !== undefined;
        return (await load()) ?? absent;
      },
    });
  }

  get bytes(): number {
    return this.#cache.calculatedSize;
  }

  /** The image in memory, or what `load` reads; undefined where it finds nothing. Throws what `load` throws. */
  async read(name: string, load: Load): Promise<ShownImage | undefined> {
    const shown = (await this.#cache.fetch(name, { context: load })) ?? absent;
    if (shown !== absent) return shown;
    if (this.#cache.peek(name) === absent) this.#cache.delete(name);
    return undefined;
  }

  /** Forgets names, those being read included. */
  forget(names: readonly string[]): void {
    for (const name of names) this.#cache.delete(name);
  }
}

/** A store whose images are shown; what it cannot delete at once it says in the log, and the clean-up deletes. */
export interface ServedImages extends ImageStore {
  /** The image of a file's name; of a size that it is too small for, itself. Throws BUSY while the store is away. */
  show(name: string): Promise<ShownImage | undefined>;
}

/** For the operator to look into. */
export interface ErrorLog {
  error(details: { err: unknown }, message: string): void;
}

/** Shows the images of a store, keeping in memory what is asked for most. */
export function serveImages(store: ImageStore, log: ErrorLog): ServedImages {
  const memory = new ImageMemory();
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
