import { useLayoutEffect, useRef } from 'react';
import { usePath, useSearch } from '#web/router.tsx';
import { sessionStore } from '#web/store.ts';
import { readEntry } from '#web/ui/history-entry.ts';
import { scrollPlacesKept } from './limits.ts';

const storageKey = 'guichet_places';
const intentions = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** Scrolls a new screen to its top, and back to its position on going back, once a late list is long enough. `userId` is the person whose screens they are. */
export function useScrollPlaces(userId: number | undefined): void {
  const path = usePath();
  const search = useSearch();
  const places = useRef<Record<string, number>>(undefined);
  useLayoutEffect(() => {
    history.scrollRestoration = 'manual';
    places.current ??= readPlaces();
    const key = `${readEntry().at} ${userId} ${path}?${search}`;
    const wanted = places.current[key];
    const anchored = wanted === undefined && location.hash !== '';
    const arrive = () => {
      if (!anchored) scrollTo(0, wanted ?? 0);
      return anchored || scrollY >= (wanted ?? 0) - 1;
    };
    let arrived = arrive();
    const growth = new ResizeObserver(() => {
      if (!arrived) arrived = arrive();
    });
    if (!arrived) growth.observe(document.body);
    const giveUp = () => {
      arrived = true;
    };
    const recordPlace = () => {
      if (arrived && places.current) places.current[key] = scrollY;
    };
    const store = () => sessionStore.keep(storageKey, JSON.stringify(places.current));
    for (const each of intentions) addEventListener(each, giveUp, { passive: true });
    addEventListener('scroll', recordPlace, { passive: true });
    addEventListener('pagehide', store);
    return () => {
      history.scrollRestoration = 'auto';
      growth.disconnect();
      for (const each of intentions) removeEventListener(each, giveUp);
      removeEventListener('scroll', recordPlace);
      removeEventListener('pagehide', store);
    };
  }, [path, search, userId]);
}

function readPlaces(): Record<string, number> {
  try {
    const kept = JSON.parse(sessionStore.read(storageKey) ?? '{}') as Record<string, number>;
    return Object.fromEntries(Object.entries(kept).slice(-scrollPlacesKept));
  } catch {
    return {};
  }
}
