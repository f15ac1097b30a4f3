/** The state of an entry in the tab's history. */
interface Entry {
  /** The number of entries before it that belong to the app. */
  depth: number;
  /** The depth at which its sequence of steps began, such as a sign-up's. */
  start?: number;
  /** Creation time, unique in the tab. */
  at: number;
  /** How many dialogs are open over its page: each has an entry, which the back button takes away. */
  over?: number;
  /** The app is on its way back from it. */
  left?: true;
  /** What its screen looked like, by `useEntryState`. */
  kept?: unknown;
}

/** The browser fires `popstate` for back and forward only. */
export const notifyMoved = () => dispatchEvent(new Event('popstate'));

export const readEntry = () => (history.state as Entry | null) ?? { depth: 0, at: 0 };

/** Goes back one or more entries and then forward, before listeners learn of the entry between. */
export function rewind(count: number, goOn: () => void): void {
  const arrive = (event: Event) => {
    event.stopImmediatePropagation();
    goOn();
  };
  addEventListener('popstate', arrive, { once: true, capture: true });
  const entry = readEntry();
  // Whoever is on the way already hears first, and tells others.
  if (entry.left) return;
  history.replaceState({ ...entry, left: true }, '');
  history.go(-count);
}
