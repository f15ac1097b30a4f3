import type { ChangeFeed } from './change-feed.ts';
import { type Kept, TopicCache } from './topic-cache.ts';

/** A session's person, and for how long that holds by itself: until the session ends, or is due to be renewed. */
export interface LiveSession<Person> {
  person: Person;
  secondsLeft: number;
}

interface KeptSession<Person> extends Kept {
  person: Person;
  /** By this process's clock that only goes forward, in milliseconds. */
  until: number;
}

/** Sessions and the people behind them: those of 60,000 people. */
const bytesAtMost = 48 * 1024 * 1024;
/** Of the objects, the texts and the places in maps that a session takes. */
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

  /** Whom the cookie's id belongs to, if that is known and still holds. */
  find(id: string): Person | undefined {
    const kept = this.#memory.get(id);
    return kept && performance.now() < kept.until ? kept.person : undefined;
  }

  /** As `find`, or as `read` says; no session is `undefined`, and not kept. */
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
