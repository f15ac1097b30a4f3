/** How the keys of all begin that this browser keeps of a person; the person's id follows. */
export const keptPrefix = 'guichet_kept:';

/** Forgets what was kept of everybody but one person. */
export function forgetKept(butOf?: number): void {
  for (const key of Object.keys(localStorage))
    if (key.startsWith(keptPrefix) && !key.startsWith(`${keptPrefix}${butOf}:`)) localStorage.removeItem(key);
}
