const storageKey = 'guichet_return';

/** Stores the current address when a session ends, to return there. */
export function keepReturnAddress(): void {
  sessionStorage.setItem(storageKey, location.pathname + location.search + location.hash);
}

/** The address to return to after a sign-in, if a session ended elsewhere. */
export const readReturnAddress = () => sessionStorage.getItem(storageKey);

export function forgetReturnAddress(): void {
  sessionStorage.removeItem(storageKey);
}
