/** Key prefix of kept answers; the person's id follows. They make room for what must be kept. */
export const keptPrefix = 'guichet_kept:';

/** A store of the browser, which may refuse, lack or have filled it. What must be kept is then kept for this page alone. */
export interface Store {
  read: (key: string) => string | null;
  /** Keeps a value, for this page alone where there is no other way. */
  keep: (key: string, value: string) => void;
  /** Keeps what is not missed elsewhere; false where there is no room, and it is not kept. */
  tryToKeep: (key: string, value: string) => boolean;
  forget: (key: string) => void;
  keys: () => string[];
  /** Forgets the kept answers of all people but one. */
  forgetAnswers: (butOf?: number) => void;
}

function guard(open: () => Storage): Store {
  const memory = new Map<string, string>();
  const attempt = <T>(use: (storage: Storage) => T): T | undefined => {
    try {
      return use(open());
    } catch {}
  };
  const forget = (key: string) => {
    memory.delete(key);
    attempt((storage) => storage.removeItem(key));
  };
  const tryToKeep = (key: string, value: string) =>
    attempt((storage) => {
      storage.setItem(key, value);
      memory.delete(key);
      return true;
    }) ?? false;
  const keys = () => [...memory.keys(), ...(attempt(Object.keys) ?? [])];
  const forgetAnswers = (butOf?: number) => {
    for (const key of keys()) if (key.startsWith(keptPrefix) && !key.startsWith(`${keptPrefix}${butOf}:`)) forget(key);
  };
  return {
    read: (key) => memory.get(key) ?? attempt((storage) => storage.getItem(key)) ?? null,
    tryToKeep,
    keep(key, value) {
      if (tryToKeep(key, value)) return;
      forgetAnswers();
      if (tryToKeep(key, value)) return;
      forget(key);
      memory.set(key, value);
    },
    forget,
    keys,
    forgetAnswers,
  };
}

/** Outlasts the tab; all tabs share it. */
export const localStore = guard(() => localStorage);
/** The tab's own, which a reload keeps. */
export const sessionStore = guard(() => sessionStorage);
