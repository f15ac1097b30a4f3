import { useLayoutEffect, useRef } from 'react';

/** A page opened from a list begins at its top; the list is found again where it was left. */
export function useListPlace(opened: string | undefined): void {
  const place = useRef(0);
  useLayoutEffect(() => {
    scrollTo(0, opened === undefined ? place.current : 0);
    if (opened !== undefined) return;
    const note = () => {
      place.current = scrollY;
    };
    addEventListener('scroll', note, { passive: true });
    return () => removeEventListener('scroll', note);
  }, [opened]);
}
