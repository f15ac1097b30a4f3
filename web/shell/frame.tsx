import { type ReactNode, Suspense } from 'react';
import { OfflineBar } from './offline-bar.tsx';
import { PageBackground } from './page-background.tsx';
import { useScrollPlaces } from './use-scroll-places.ts';

/** What every screen has: the cloth stripe at the top, the word of a lost line, the page background, and a place where it was left. */
export function Frame({ children }: { children: ReactNode }) {
  useScrollPlaces();
  return (
    <>
      <Suspense fallback={null}>
        <PageBackground />
      </Suspense>
      <div className="woven relative z-25" />
      <OfflineBar />
      {children}
    </>
  );
}
