import { useEffect, useRef } from 'react';

/**
 * Focuses this element when a dialog closes and its opener is gone, as after a deletion. Otherwise the keyboard would
 * restart at the top of the page.
 */
export function useFallbackFocus<E extends HTMLElement>(isDialogOpen: boolean) {
  const element = useRef<E>(null);
  useEffect(() => {
    if (!isDialogOpen && document.activeElement === document.body) element.current?.focus({ preventScroll: true });
  }, [isDialogOpen]);
  return element;
}
