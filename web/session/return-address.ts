const storageKey = 'guichet_return';

/** Keeps where a person is when their session ends, to bring them back there. */
export function keepReturnAddress(): void {
  sessionStorage.setItem(storageKey, location.pathname + location.search + location.hash);
}

/** Where to bring a person who comes in, if their session ended while they were somewhere. */
export const readReturnAddress = () => sessionStorage.getItem(storageKey);

export function forgetReturnAddress(): void {
  sessionStorage.removeItem(storageKey);
}
