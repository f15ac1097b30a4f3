import { useEffect, useRef } from 'react';

/** Keeps the keyboard's place where a focused control disappears: the heading of its part takes the focus. */
export function useFocusFallback() {
  const heading = useRef<HTMLHeadingElement>(null);
  const isInside = useRef(false);
  // After every change; a removed element fires no event.
  useEffect(() => {
    if (isInside.current && document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  });
  const mark = (inside: boolean) => () => {
    isInside.current = inside;
  };
  return { heading: { ref: heading, tabIndex: -1 }, around: { onFocus: mark(true), onBlur: mark(false) } };
}
