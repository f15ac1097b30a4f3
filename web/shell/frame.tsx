import { type ReactNode, Suspense } from 'react';
import { readPageBackground, type PageBackground as Settings } from '#contract/page-background.ts';
import { useAnswer } from '#web/api/use-answer.tsx';
import { Chunk, part } from './chunk.tsx';
import { OfflineBar } from './offline-bar.tsx';
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

/** Loaded only if an operator set a picture. */
const picture = part<{ settings: Settings; className: string; 'data-testid': string }>(
  () => import('./background-picture.tsx'),
);

/** The operator's picture behind everything; nothing without one or without an answer. */
function PageBackground() {
  const { data } = useAnswer(readPageBackground, {});
  const given = data && { settings: data, className: 'page-background fixed', 'data-testid': 'page-background' };
  return data?.backgroundImage && <Chunk of={picture} given={given} waiting={null} isOrnament />;
}
