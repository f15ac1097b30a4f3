import { type ReactNode, Suspense, useEffect, useRef } from 'react';
import { useLocation, useSearch } from 'wouter';
import { PageBackground } from './page-background.tsx';

/** What every screen has: the cloth stripe at the top, and the page background. */
export function Frame({ children }: { children: ReactNode }) {
  const [path] = useLocation();
  const search = useSearch();
  const wentBack = useRef(false);
  useEffect(() => {
    const note = () => {
      wentBack.current = true;
    };
    addEventListener('popstate', note);
    return () => removeEventListener('popstate', note);
  }, []);
  // A new page starts at its top; going back, the browser finds the place again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address is what changes
  useEffect(() => {
    if (!wentBack.current && !location.hash) scrollTo(0, 0);
    wentBack.current = false;
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
