import { useEffect, useRef } from 'react';

const typedIn = 'input:not([type="checkbox"], [type="radio"]), select, textarea, [contenteditable]';

/**
 * Hears single keys, in lower case, unless a field has them, or a dialog; those with a modifier are the browser's, and a
 * key that is held down is one press.
 */
export function useKeys(onKey: (key: string, event: KeyboardEvent) => void, { inDialogs = false } = {}): void {
  const latest = useRef(onKey);
  latest.current = onKey;
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      const { key, target, repeat, ctrlKey, metaKey, altKey, isComposing } = event;
      if (repeat || ctrlKey || metaKey || altKey || isComposing || event.defaultPrevented) return;
      if (!inDialogs && document.querySelector('dialog[open]')) return;
      if (target instanceof Element && target.closest(typedIn)) return;
      latest.current(key.toLowerCase(), event);
    };
    addEventListener('keydown', hear);
    return () => removeEventListener('keydown', hear);
  }, [inDialogs]);
}

/** The key that does the same; screens without one hide it. */
export function Key({ children }: { children: string }) {
  return (
    <span
      aria-hidden="true"
      className="rounded border border-current/40 px-1.5 py-0.5 font-normal text-small max-lg:hidden"
    >
      {children}
    </span>
  );
}
