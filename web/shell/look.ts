import { localStore } from '#web/store.ts';

/** The look of the app in this browser, for every person; it survives a sign-out. */
export interface Look {
  /** `phone` is that of the device. */
  theme: 'phone' | 'light' | 'dark';
}

export const lookKey = 'guichet.look';

/** The look in a stored text; what is missing there is the default. */
export function readLook(stored: string | null): Look {
  let kept: Partial<Look> | null = null;
  try {
    kept = JSON.parse(stored ?? '');
  } catch {}
  return { theme: 'phone', ...kept };
}

/** Stores a look and applies it here; other tabs hear of it from the browser. */
export function saveLook(look: Look): void {
  const newValue = JSON.stringify(look);
  localStore.keep(lookKey, newValue);
  dispatchEvent(new StorageEvent('storage', { key: lookKey, newValue }));
}

/**
 * Applies the stored look, and each change of it or of the device's theme. The document runs the text of this function
 * before its first paint (`web/build/first-document.ts`), so that it uses nothing of this module.
 */
export function followLook(key: string): void {
  const night = matchMedia('(prefers-color-scheme: dark)');
  let stored: string | null = null;
  try {
    stored = localStorage.getItem(key);
  } catch {}
  const apply = () => {
    let look: Partial<Look> | null = null;
    try {
      look = JSON.parse(stored ?? '');
    } catch {}
    const isDark = look?.theme === 'dark' || (look?.theme !== 'light' && night.matches);
    const { dataset } = document.documentElement;
    dataset.theme = isDark ? 'dark' : 'light';
    const meta = document.querySelector<HTMLMetaElement>('[name=theme-color]');
    if (meta) meta.content = isDark ? '#182447' : '#1f2f5c';
  };
  apply();
  night.addEventListener('change', apply);
  addEventListener('storage', (event) => {
    if (event.key !== key && event.key !== null) return;
    stored = event.newValue;
    apply();
  });
}
