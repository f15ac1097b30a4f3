import { LRUCache } from 'lru-cache';
import { imageLimits } from '#server/process/image-limits.ts';

/** An image, or one of its sizes, in memory. */
interface Shown {
  bytes: Buffer;
}

type Load<T> = () => Promise<T | undefined>;

/** Stands for an image that the store does not have: the cache cannot hold undefined. */
const absent: Shown = { bytes: Buffer.alloc(0) };

/**
 * An LRU cache of images up to `imageLimits.memoryBytes`; concurrent reads of a name share one load. After
 * `imageLimits.memoryMs` an image is loaded again; while that fails, the one in memory still counts.
 */
export class ImageMemory<T extends Shown> {
  readonly #cache: LRUCache<string, T | Shown, Load<T>>;

  constructor(clock: { now(): number } = performance) {
    this.#cache = new LRUCache<string, T | Shown, Load<T>>({
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
  async read(name: string, load: Load<T>): Promise<T | undefined> {
    const shown = (await this.#cache.fetch(name, { context: load })) ?? absent;
    if (shown !== absent) return shown as T;
    if (this.#cache.peek(name) === absent) this.#cache.delete(name);
    return undefined;
  }

  /** Forgets names, those being read included. */
  forget(names: readonly string[]): void {
    for (const name of names) this.#cache.delete(name);
  }
}
