import { type RefObject, useLayoutEffect, useState } from 'react';

/**
 * Whether an element is at least so wide, in rem. The side menu and the text size change its width, not only the
 * window.
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
