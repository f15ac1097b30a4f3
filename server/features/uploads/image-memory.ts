import { imageLimits } from '#server/process/image-limits.ts';

/** Something to be shown that is kept in memory for a while. */
interface Shown {
  bytes: Buffer;
  /** Whether it may be kept at all. */
  isLasting: boolean;
}

/**
 * Keeps in memory what was shown lately, up to `imageLimits.memoryBytes`, so that those who ask for the same share its bytes, and
 * one look at the store serves them all. After `imageLimits.memoryMs` it is looked for again; where the store cannot be asked
 * then, what is here still counts.
 */
export class ImageMemory<T extends Shown> {
  /** In the order of their use, the latest last. */
  readonly #kept = new Map<string, { value: T; until: number }>();
  readonly #readings = new Map<string, Promise<T | undefined>>();
  readonly #now: () => number;
  #bytes = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** What is kept under a name, or what `load` reads, once for all who ask meanwhile; nothing where it finds nothing. */
  read(name: string, load: () => Promise<T | undefined>): Promise<T | undefined> {
    const kept = this.#kept.get(name);
    if (kept) {
      this.#kept.delete(name);
      this.#kept.set(name, kept);
      if (kept.until > this.#now()) return Promise.resolve(kept.value);
    }
    const known = this.#readings.get(name);
    if (known) return known;
    const reading: Promise<T | undefined> = this.#load(name, load, () => this.#readings.get(name) === reading).finally(
      () => {
        if (this.#readings.get(name) === reading) this.#readings.delete(name);
      },
    );
    this.#readings.set(name, reading);
    return reading;
  }

  async #load(name: string, load: () => Promise<T | undefined>, isWanted: () => boolean): Promise<T | undefined> {
    let value: T | undefined;
    try {
      value = await load();
    } catch (error) {
      const kept = this.#kept.get(name);
      if (kept) return kept.value;
      throw error;
    }
    // What was deleted while it was being read is not kept.
    if (isWanted()) {
      this.#drop(name);
      if (value?.isLasting) this.#keep(name, value);
    }
    return value;
  }

  /** Forgets names, those being read included. */
  forget(names: readonly string[]): void {
    for (const name of names) {
      this.#drop(name);
      this.#readings.delete(name);
    }
  }

  #keep(name: string, value: T): void {
    this.#kept.set(name, { value, until: this.#now() + imageLimits.memoryMs });
    this.#bytes += value.bytes.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= imageLimits.memoryBytes) break;
      this.#drop(oldest);
    }
  }

  #drop(name: string): void {
    const kept = this.#kept.get(name);
    if (!kept) return;
    this.#kept.delete(name);
    this.#bytes -= kept.value.bytes.length;
  }
}
