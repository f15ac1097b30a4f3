import { type ReactNode, Suspense } from 'react';
import { PageBackground } from './page-background.tsx';
import { useScrollPlaces } from './use-scroll-places.ts';

/** What every screen has: the cloth stripe at the top, the page background, and a place where it was left. */
export function Frame({ children }: { children: ReactNode }) {
  useScrollPlaces();
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
