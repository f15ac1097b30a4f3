import { localStore, sessionStore } from '#web/store.ts';
import { nextCodeKey, phoneKeys } from './kept-for-code.ts';

type Kept = keyof typeof phoneKeys;

export const readKept = (what: Kept) => localStore.read(phoneKeys[what]) ?? undefined;
export const dropKept = (...what: Kept[]) => {
  for (const each of what) localStore.forget(phoneKeys[each]);
};

/**
 * The seconds that are left until another code may be requested. A phone whose clock was changed waits no more: the
 * server knows.
 */
export function readWait(): number {
  try {
    const { at, seconds } = JSON.parse(sessionStore.read(nextCodeKey) ?? '') as { at: number; seconds: number };
    return Math.max(0, seconds - Math.abs(Date.now() - at) / 1000) || 0;
  } catch {
    return 0;
  }
}
