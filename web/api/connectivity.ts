import { localStore } from '#web/store.ts';

const storageKey = 'guichet_line';

/** A window event for each call; its detail says whether the server answered. */
export const connectivityEvent = 'guichet:line';

/** Announces whether a call was answered. The time of the last answer is stored for pages opened offline. */
export function reportConnectivity(answered: boolean): void {
  if (answered) localStore.tryToKeep(storageKey, String(Date.now()));
  dispatchEvent(new CustomEvent(connectivityEvent, { detail: answered }));
}

/** Milliseconds of the server's last answer; 0 if there was none. */
export const readLastAnswer = () => Number(localStore.read(storageKey));
