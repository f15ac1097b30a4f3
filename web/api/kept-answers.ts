import { keptPrefix, localStore } from '#web/store.ts';

/** An answer with its ETag, and of a list its whole length; `isCapped` if counting stopped there. */
export interface Answer<T> {
  data: T;
  etag?: string | undefined;
  total?: number | undefined;
  isCapped?: boolean | undefined;
}

const keyOf = (userId: number, address: string) => `${keptPrefix}${userId}:${address}`;

/** A person's answer from an address that an earlier visit stored, drawn until a newer one arrives. */
export function readKept<T>(userId: number | undefined, address: string): Answer<T> | undefined {
  try {
    return userId === undefined ? undefined : (JSON.parse(localStore.read(keyOf(userId, address)) ?? '') as Answer<T>);
  } catch {
    return undefined;
  }
}

/** Stores a person's newest answer. Where there is no room, it takes that of all others. */
export function keep(userId: number, address: string, answer: Answer<unknown>): void {
  const key = keyOf(userId, address);
  const entry = JSON.stringify(answer);
  if (localStore.read(key) === entry || localStore.tryToKeep(key, entry)) return;
  localStore.forgetAnswers();
  localStore.tryToKeep(key, entry);
}
