import { keptPrefix, localStore } from '#web/store.ts';

/** Removes the stored data of all people but one. */
export function forgetKept(butOf?: number): void {
  for (const key of localStore.keys())
    if (key.startsWith(keptPrefix) && !key.startsWith(`${keptPrefix}${butOf}:`)) localStore.forget(key);
}
