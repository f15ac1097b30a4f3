/** Key prefix of a person's stored data; the person's id follows. */
export const keptPrefix = 'guichet_kept:';

/** Removes the stored data of all people but one. */
export function forgetKept(butOf?: number): void {
  for (const key of Object.keys(localStorage))
    if (key.startsWith(keptPrefix) && !key.startsWith(`${keptPrefix}${butOf}:`)) localStorage.removeItem(key);
}
