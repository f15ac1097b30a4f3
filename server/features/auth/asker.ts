import type { UserRow } from '#server/features/users/store.ts';
import type { Device } from './device-cookie.ts';
import type { Purpose } from './store.ts';

/** Who asks for a code, or enters one. */
export interface Asker {
  /** Key of the caller's address. */
  address: string;
  /** The browser, where it signed in before, to whichever account. */
  device: Device | undefined;
}

/** Whether a code for them is counted apart from those of strangers' sign-ups: only numbers that were verified are reset. */
export function isTrusted(purpose: Purpose, { device }: Asker): boolean {
  return purpose === 'reset' || device !== undefined;
}

/** Whether this browser signed in to that account before, by its present password. */
export function isKnownTo(user: UserRow, { device }: Asker): boolean {
  return device?.knows(user) ?? false;
}
