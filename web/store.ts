/** Key prefix of kept answers; the person's id follows. They make room for what must be kept. */
export const keptPrefix = 'guichet_kept:';

/**
 * A store of the browser, which it may refuse (blocked cookies), lack (a WebView) or have filled. What must be kept is
 * then kept for this page alone.
 */
export interface Store {
  read: (key: string) => string | null;
  /** Keeps a value; false where only this page has it. */
  keep: (key: string, value: string) => boolean;
  /** Keeps what is not missed elsewhere; false where there is no room, and it is not kept. */
  tryToKeep: (key: string, value: string) => boolean;
  forget: (key: string) => void;
  keys: () => string[];
  clear: () => void;
  /** Whether it would keep something now. */
  works: () => boolean;
}

function guard(open: () => Storage): Store {
  const memory = new Map<string, string>();
  const attempt = <T>(use: (storage: Storage) => T): T | undefined => {
    try {
      return use(open());
    } catch {
      return undefined;
    }
  };
  const storedKeys = () => attempt((storage) => Object.keys(storage)) ?? [];
  const remove = (key: string) => attempt((storage) => storage.removeItem(key));
  const tryToKeep = (key: string, value: string) =>
    attempt((storage) => {
      storage.setItem(key, value);
      memory.delete(key);
      return true;
    }) ?? false;
  const store: Store = {
    read: (key) => memory.get(key) ?? attempt((storage) => storage.getItem(key)) ?? null,
    tryToKeep,
    keep(key, value) {
      if (tryToKeep(key, value)) return true;
      for (const each of storedKeys()) if (each.startsWith(keptPrefix)) remove(each);
      if (tryToKeep(key, value)) return true;
      remove(key);
      memory.set(key, value);
      return false;
    },
    forget(key) {
      memory.delete(key);
      remove(key);
    },
    keys: () => [...new Set([...memory.keys(), ...storedKeys()])],
    clear() {
      memory.clear();
      attempt((storage) => storage.clear());
    },
    works() {
      const works = tryToKeep('guichet_probe', '1');
      remove('guichet_probe');
      return works;
    },
  };
  return store;
}

/** Outlasts the tab; all tabs share it. */
export const localStore = guard(() => localStorage);
/** The tab's own, which a reload keeps. */
export const sessionStore = guard(() => sessionStorage);
