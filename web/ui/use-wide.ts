import { useSyncExternalStore } from 'react';

/** Whether the screen is at least so wide, in rem of the page: those of a media query ignore the page's text size. */
export function useWide(rem: number): boolean {
  return useSyncExternalStore(listen, () => {
    const { fontSize } = getComputedStyle(document.documentElement);
    return innerWidth >= rem * Number.parseFloat(fontSize);
  });
}

/** The text size comes from the browser's storage. */
const changes = ['resize', 'storage'] as const;

function listen(onChange: () => void): () => void {
  for (const each of changes) addEventListener(each, onChange);
  return () => {
    for (const each of changes) removeEventListener(each, onChange);
  };
}
