import { type ReactNode, Suspense, useEffect } from 'react';
import { useLocation } from 'wouter';
import { PageBackground } from './page-background.tsx';

/** What every screen has: the cloth stripe at the top, and the page background. */
export function Frame({ children }: { children: ReactNode }) {
  const [path] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page starts at its top
  useEffect(() => {
    if (!location.hash) scrollTo(0, 0);
  }, [path]);
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
