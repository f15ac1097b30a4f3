import type { ChangeFeed } from './change-feed.ts';

/** What is kept, and what it depends on. */
export interface Kept {
  topics: readonly string[];
  /** Of memory, about. */
  bytes: number;
}

interface Slot<T extends Kept> {
  key: string;
  value: T;
  bytes: number;
  /** Asked for since the sweep last came by. */
  isUsed: boolean;
}

/** A value that is being read. */
interface Reading<T> {
  promise: Promise<T>;
  /** What changed meanwhile. */
  missed: Set<string>;
  missedEverything: boolean;
}

/**
 * Keeps what was read from the database until the feed says that something it depends on has changed: never by time. While
 * the feed is down nothing is answered from here. When there is no room, what nobody asked for lately goes.
 */
export class TopicCache<T extends Kept> {
  readonly #feed: Pick<ChangeFeed, 'isLive'>;
  readonly #bytesAtMost: number;
  readonly #slots = new Map<string, Slot<T>>();
  /** Whose answers depend on a topic: mostly one's, and then no set of its own. */
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

  /** What is kept under a key and still holds. */
  get(key: string): T | undefined {
    if (!this.#feed.isLive()) return undefined;
    const slot = this.#slots.get(key);
    if (!slot) return undefined;
    slot.isUsed = true;
    return slot.value;
  }

  /**
   * Reads a value and keeps it, unless something it depends on changed meanwhile. Who asks for the same while it is being
   * read gets it too; unless something changed since, which they may know of: they wait for a reading of their own. `depends`
   * says what the value depends on where that is known before; `read` answers `undefined` where there is nothing to keep.
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

  /** Counts a value anew that has grown. */
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

  /** The oldest first; what was asked for since the last time gets another turn. */
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

/** Whether a topic with a star in place of an id means this one: `user:*:tickets` means `user:7:tickets`, and not `user:7`. */
export function covers(pattern: string, topic: string): boolean {
  const [before = '', after = ''] = pattern.split('*');
  if (!topic.startsWith(before) || !topic.endsWith(after) || topic.length <= before.length + after.length) return false;
  return !topic.slice(before.length, topic.length - after.length).includes(':');
}
