import { useLayoutEffect, useRef } from 'react';

/** Scrolls an opened page to its top, and restores the list's scroll position afterwards. */
export function useListPlace(opened: string | undefined): void {
  const place = useRef(0);
  useLayoutEffect(() => {
    scrollTo(0, opened === undefined ? place.current : 0);
    if (opened !== undefined) return;
    const recordPlace = () => {
      place.current = scrollY;
    };
    addEventListener('scroll', recordPlace, { passive: true });
    return () => removeEventListener('scroll', recordPlace);
  }, [opened]);
}
