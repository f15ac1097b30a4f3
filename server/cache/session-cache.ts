import type { ChangeFeed } from './change-feed.ts';
import { type Kept, TopicCache } from './topic-cache.ts';

/** A session's person, current until the session ends or must be renewed. */
export interface LiveSession<Person> {
  person: Person;
  secondsLeft: number;
}

interface KeptSession<Person> extends Kept {
  person: Person;
  /** In milliseconds of this process's monotonic clock. */
  until: number;
}

/** Most bytes kept: sessions of 60,000 people. */
const bytesAtMost = 48 * 1024 * 1024;
/** Bytes of a session's objects, texts and map entries. */
const ownBytes = 800;

/** Caches the owner of a session cookie until the session or the owner changes. */
export class SessionCache<Person extends { userId: number; sid: string }> {
  readonly #memory: TopicCache<KeptSession<Person>>;

  constructor(feed: ChangeFeed) {
    this.#memory = new TopicCache(feed, bytesAtMost);
  }

  get bytes(): number {
    return this.#memory.bytes;
  }

  get size(): number {
    return this.#memory.size;
  }

  /** The person of a session id, if it is cached and current. */
  find(id: string): Person | undefined {
    const kept = this.#memory.get(id);
    return kept && performance.now() < kept.until ? kept.person : undefined;
  }

  /** As `find`, otherwise the result of `read`; `undefined`, for no session, is not cached. */
  async read(id: string, read: () => Promise<LiveSession<Person> | undefined>): Promise<Person | undefined> {
    const known = this.find(id);
    if (known) return known;
    const kept = await this.#memory.read(id, async () => {
      const askedAt = performance.now();
      const found = await read();
      return (
        found && {
          person: found.person,
          until: askedAt + found.secondsLeft * 1_000,
          topics: [`session:${found.person.sid}`, `user:${found.person.userId}`],
          bytes: ownBytes,
        }
      );
    });
    return kept?.person;
  }
}
