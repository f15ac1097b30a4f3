import { useEffect, useRef } from 'react';

/** Whether the keyboard would restart at the top of the page: nothing has the focus, or what has it was disabled. */
export const isFocusLost = () =>
  document.activeElement === document.body || document.activeElement?.matches(':disabled') === true;

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
