import { keptPrefix, localStore } from '#web/store.ts';

/** An answer with its ETag, if it has one, as React Query's cache and the browser's storage have it. */
export interface Known<T> {
  data: T;
  etag?: string | undefined;
}

const keyOf = (userId: number, path: string, input: object) =>
  `${keptPrefix}${userId}:${path}:${JSON.stringify(input)}`;

/** The stored answer of an earlier visit by this person, drawn until a newer one arrives. */
export function readKept<T>(userId: number, path: string, input: object): Known<T> | undefined {
  try {
    const { data, etag } = JSON.parse(localStore.read(keyOf(userId, path, input)) ?? '') as Known<T>;
    return { data, etag };
  } catch {
    return undefined;
  }
}

/** Stores a person's newest answer. Where there is no room, it takes that of all others. */
export function keep(userId: number, path: string, input: object, { data, etag }: Known<unknown>): void {
  const key = keyOf(userId, path, input);
  const entry = JSON.stringify({ data, etag });
  if (localStore.read(key) === entry || localStore.tryToKeep(key, entry)) return;
  localStore.forgetAnswers();
  localStore.tryToKeep(key, entry);
}
