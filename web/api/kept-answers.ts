import { keptPrefix, localStore } from '#web/store.ts';
import { keptAnswersAtMost, keptAnswersRenewedMs } from './limits.ts';

const keyOf = (userId: number, path: string, input: object) =>
  `${keptPrefix}${userId}:${path}:${JSON.stringify(input)}`;

const keptKeys = () => localStore.keys().filter((key) => key.startsWith(keptPrefix));

/** An answer with its ETag, if it has one, as React Query's cache and the browser's storage have it. */
export interface Known<T> {
  data: T;
  etag?: string | undefined;
}

/** The stored answer of an earlier visit by this person, drawn until a newer one arrives. */
export function readKept<T>(userId: number, path: string, input: object): Known<T> | undefined {
  try {
    const entry = JSON.parse(localStore.read(keyOf(userId, path, input)) ?? 'null') as Known<T> | null;
    return entry ? { data: entry.data, etag: entry.etag } : undefined;
  } catch {
    return undefined;
  }
}

/** Stores a person's newest answer, unless an equal one was stored recently. Full storage evicts the oldest. */
export function keep(userId: number, path: string, input: object, { data, etag }: Known<unknown>): void {
  const key = keyOf(userId, path, input);
  const said = JSON.stringify(data);
  const old = localStore.read(key);
  const isYoung = Number(old?.slice(6, 19)) > Date.now() - keptAnswersRenewedMs;
  if (isYoung && old?.endsWith(`"data":${said}}`)) return;
  const entry = `{"at":${Date.now()},${etag ? `"etag":${JSON.stringify(etag)},` : ''}"data":${said}}`;
  const others = keptKeys().filter((each) => each !== key);
  // An entry begins with its time, which has thirteen digits until the year 2286.
  const begins = (each: string) => localStore.read(each)?.slice(0, 19) ?? '';
  const oldestFirst = others.sort((a, b) => (begins(a) < begins(b) ? -1 : 1));
  for (const each of oldestFirst.splice(0, Math.max(0, others.length + 1 - keptAnswersAtMost))) localStore.forget(each);
  while (!localStore.tryToKeep(key, entry)) {
    const oldest = oldestFirst.shift();
    if (!oldest) break;
    localStore.forget(oldest);
  }
}
