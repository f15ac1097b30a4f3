import { useEffect, useRef } from 'react';

/**
 * A dialog gives the focus back to what opened it. When that is gone, as the row of something deleted, this element gets it:
 * a keyboard goes on from here and not from the top of the page.
 */
export function useFallbackFocus<E extends HTMLElement>(isDialogOpen: boolean) {
  const element = useRef<E>(null);
  useEffect(() => {
    if (!isDialogOpen && document.activeElement === document.body) element.current?.focus({ preventScroll: true });
  }, [isDialogOpen]);
  return element;
}
