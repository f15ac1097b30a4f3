import { sessionStore } from '#web/store.ts';

const storageKey = 'guichet_return';

/** Stores the current address when a session ends, to return there. */
export function keepReturnAddress(): void {
  sessionStore.keep(storageKey, location.pathname + location.search + location.hash);
}

/** The address to return to after a sign-in, if a session ended elsewhere. */
export const readReturnAddress = () => sessionStore.read(storageKey);

export function forgetReturnAddress(): void {
  sessionStore.forget(storageKey);
}
