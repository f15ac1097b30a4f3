import type { ChangeFeed } from './change-feed.ts';

/** A cached value with its topics. */
export interface Kept {
  topics: readonly string[];
  /** Approximate bytes. */
  bytes: number;
}

interface Slot<T extends Kept> {
  key: string;
  value: T;
  bytes: number;
  /** Used since the last sweep. */
  isUsed: boolean;
}

/** A value that is being read. */
interface Reading<T> {
  promise: Promise<T>;
  /** Topics that changed during the read. */
  missed: Set<string>;
  missedEverything: boolean;
}

/**
 * Caches values read from the database until one of their topics changes, never by time. While the feed is down nothing is answered from
 * here. Without room, values that were not used lately are dropped.
 */
export class TopicCache<T extends Kept> {
  readonly #feed: Pick<ChangeFeed, 'isLive'>;
  readonly #bytesAtMost: number;
  readonly #slots = new Map<string, Slot<T>>();
  /** The values that depend on a topic: mostly one, which then needs no set. */
  readonly #dependents = new Map<string, Slot<T> | Set<Slot<T>>>();
  readonly #readings = new Map<string, Reading<T | undefined>>();
  readonly #open = new Set<Reading<T | undefined>>();
  #bytes = 0;

  constructor(feed: Pick<ChangeFeed, 'listen' | 'isLive'>, bytesAtMost: number) {
    this.#feed = feed;
    this.#bytesAtMost = bytesAtMost;
    feed.listen((topics) => this.#hear(topics));
  }

  get size(): number {
    return this.#slots.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The current value of a key. */
  get(key: string): T | undefined {
    if (!this.#feed.isLive()) return undefined;
    const slot = this.#slots.get(key);
    if (!slot) return undefined;
    slot.isUsed = true;
    return slot.value;
  }

  /**
   * Reads a value and caches it, unless one of its topics changes meanwhile. Concurrent callers share the read. After a change callers
   * may know of it, so they wait for a new read. `depends` are the value's topics, if known before. `read` answers `undefined` for
   * nothing to cache.
   */
  read(key: string, read: () => Promise<T | undefined>, depends?: readonly string[]): Promise<T | undefined> {
    const current = this.#readings.get(key);
    if (current && this.#feed.isLive() && !hasMissed(current, depends)) return current.promise;
    const { promise, resolve, reject } = Promise.withResolvers<T | undefined>();
    const reading: Reading<T | undefined> = { promise, missed: new Set(), missedEverything: !this.#feed.isLive() };
    this.#readings.set(key, reading);
    this.#open.add(reading);
    const finish = () => {
      this.#open.delete(reading);
      if (this.#readings.get(key) === reading) this.#readings.delete(key);
    };
    read().then(
      (value) => {
        finish();
        if (value && !hasMissed(reading, value.topics)) this.#keep(key, value);
        resolve(value);
      },
      (error: unknown) => {
        finish();
        reject(error);
      },
    );
    return promise;
  }

  /** Updates the size of a value that has grown. */
  resize(key: string, value: T): void {
    const slot = this.#slots.get(key);
    if (slot?.value !== value) return;
    this.#bytes += value.bytes - slot.bytes;
    slot.bytes = value.bytes;
    this.#makeRoom();
  }

  #hear(topics: readonly string[] | 'everything'): void {
    for (const reading of this.#open)
      if (topics === 'everything') reading.missedEverything = true;
      else for (const topic of topics) reading.missed.add(topic);
    if (topics === 'everything') {
      this.#slots.clear();
      this.#dependents.clear();
      this.#bytes = 0;
      return;
    }
    for (const topic of topics) {
      if (!topic.includes('*')) this.#dropTopic(topic);
      else for (const each of this.#dependents.keys()) if (covers(topic, each)) this.#dropTopic(each);
    }
  }

  #dropTopic(topic: string): void {
    const found = this.#dependents.get(topic);
    if (!found) return;
    for (const slot of found instanceof Set ? [...found] : [found]) this.#drop(slot);
  }

  #keep(key: string, value: T): void {
    const before = this.#slots.get(key);
    if (before) this.#drop(before);
    const slot: Slot<T> = { key, value, bytes: value.bytes, isUsed: false };
    this.#slots.set(key, slot);
    this.#bytes += slot.bytes;
    for (const topic of slot.value.topics) {
      const found = this.#dependents.get(topic);
      if (!found) this.#dependents.set(topic, slot);
      else if (found instanceof Set) found.add(slot);
      else this.#dependents.set(topic, new Set([found, slot]));
    }
    this.#makeRoom();
  }

  #drop(slot: Slot<T>): void {
    if (!this.#slots.delete(slot.key)) return;
    this.#bytes -= slot.bytes;
    for (const topic of slot.value.topics) {
      const found = this.#dependents.get(topic);
      if (!(found instanceof Set)) this.#dependents.delete(topic);
      else {
        found.delete(slot);
        if (found.size === 0) this.#dependents.delete(topic);
      }
    }
  }

  /** Drops the oldest values first; those used since the last sweep stay for another. */
  #makeRoom(): void {
    for (const slot of this.#slots.values()) {
      if (this.#bytes <= this.#bytesAtMost) return;
      if (slot.isUsed) {
        slot.isUsed = false;
        this.#slots.delete(slot.key);
        this.#slots.set(slot.key, slot);
      } else this.#drop(slot);
    }
  }
}

function hasMissed(reading: Reading<unknown>, topics: readonly string[] | undefined): boolean {
  if (reading.missedEverything) return true;
  if (reading.missed.size === 0) return false;
  if (!topics) return true;
  const stars = [...reading.missed].filter((topic) => topic.includes('*'));
  return topics.some((topic) => reading.missed.has(topic) || stars.some((star) => covers(star, topic)));
}

/** Whether a pattern with a star in place of an id includes this topic: `user:*:tickets` includes `user:7:tickets`, not `user:7`. */
export function covers(pattern: string, topic: string): boolean {
  const [before = '', after = ''] = pattern.split('*');
  if (!topic.startsWith(before) || !topic.endsWith(after) || topic.length <= before.length + after.length) return false;
  return !topic.slice(before.length, topic.length - after.length).includes(':');
}
