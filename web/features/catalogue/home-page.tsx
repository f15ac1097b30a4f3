import { initData } from '#contract/init-data.ts';
import { readLevel } from '#web/addresses.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { useSearch } from '#web/router.tsx';
import { Chunk, part } from '#web/shell/chunk.tsx';
import { Column, HeadToCome } from '#web/ui/page.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { FamiliesScreen, familiesParts } from './families-screen.tsx';
import { loading } from './use-catalogue.ts';

const levelScreen = part(() => import('./level-screen.tsx'));

/** Parts of the catalogue that are not drawn at first. */
export const catalogueParts = [levelScreen, ...familiesParts];

const waiting = (
  <Column>
    <HeadToCome />
    <SkeletonRows text={loading} />
  </Column>
);

/** The catalogue: its families, or the level in the address. */
export function HomePage() {
  const ids = readLevel(useSearch());
  useEndpoint(initData, { body: {} });
  return ids.length === 0 ? <FamiliesScreen /> : <Chunk isPage of={levelScreen} given={{ ids }} waiting={waiting} />;
}
