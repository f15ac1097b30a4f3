const storageKey = 'guichet_line';

/** An event on the window for each call: whether the server answered. */
export const connectivityEvent = 'guichet:line';

/** Tells whether a call was answered; when one last was is kept, for a page that is opened without a line. */
export function reportConnectivity(answered: boolean): void {
  try {
    if (answered) localStorage.setItem(storageKey, String(Date.now()));
  } catch {
    // No room is no reason to fail a call that was answered.
  }
  dispatchEvent(new CustomEvent(connectivityEvent, { detail: answered }));
}

/** When the server last answered, in milliseconds; 0 if it never did. */
export const readLastAnswer = () => Number(localStorage.getItem(storageKey));
