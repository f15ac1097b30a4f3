import { type RefObject, useLayoutEffect, useState } from 'react';

/**
 * Whether an element is at least so wide, in rem: what there is room for depends on the side menu and on how large somebody
 * has their text, besides the window.
 */
export function useContainerWidth(element: RefObject<HTMLElement | null>, rem: number): boolean {
  const [isWide, setWide] = useState(true);
  useLayoutEffect(() => {
    const box = element.current;
    if (!box) return;
    const measure = () => {
      const textSize = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      if (box.clientWidth > 0) setWide(box.clientWidth >= rem * textSize);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    return () => observer.disconnect();
  }, [element, rem]);
  return isWide;
}
