import { type ReactNode, Suspense } from 'react';
import { OfflineBar } from './offline-bar.tsx';
import { PageBackground } from './page-background.tsx';
import { useScrollPlaces } from './use-scroll-places.ts';

/** The frame of every screen: cloth stripe, offline bar, page background and scroll restoration. */
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
