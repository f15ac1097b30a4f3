import { type ReactNode, Suspense, useEffect, useRef } from 'react';
import { useLocation, useSearch } from 'wouter';
import { readAdminTab } from '#web/addresses.ts';
import { PageBackground } from './page-background.tsx';

/** What every screen has: the cloth stripe at the top, and the page background. */
export function Frame({ children }: { children: ReactNode }) {
  const [path] = useLocation();
  const search = useSearch();
  const wentBackTo = useRef<string>(undefined);
  useEffect(() => {
    const note = () => {
      wentBackTo.current = location.href;
    };
    // Captured: the router's own listener draws the page before a later one hears of it.
    addEventListener('popstate', note, true);
    return () => removeEventListener('popstate', note, true);
  }, []);
  // A new page starts at its top; going back, the browser finds the place again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address is what changes
  useEffect(() => {
    // The administrators' panel keeps the place in each of its tabs.
    if (wentBackTo.current !== location.href && !location.hash && !readAdminTab(path)) scrollTo(0, 0);
    wentBackTo.current = undefined;
  }, [path, search]);
  return (
    <>
      <Suspense fallback={null}>
        <PageBackground />
      </Suspense>
      <div className="woven" />
      {children}
    </>
  );
}
