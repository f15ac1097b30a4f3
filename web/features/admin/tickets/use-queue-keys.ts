import { useEffect, useRef } from 'react';

/** Hears single keys, in lower case, unless a field or a dialog has them; those with a modifier are the browser's. */
export function useQueueKeys(onKey: (key: string) => void): void {
  const latest = useRef(onKey);
  latest.current = onKey;
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      const { key, target, repeat, ctrlKey, metaKey, altKey, isComposing } = event;
      if (repeat || ctrlKey || metaKey || altKey || isComposing || event.defaultPrevented) return;
      if (document.querySelector('dialog[open]')) return;
      if (target instanceof HTMLElement && target.closest('input, select, textarea, [contenteditable]')) return;
      latest.current(key.toLowerCase());
    };
    addEventListener('keydown', hear);
    return () => removeEventListener('keydown', hear);
  }, []);
}
