import { initData } from '#contract/init-data.ts';
import { readLevel } from '#web/addresses.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { useSearch } from '#web/router.tsx';
import { FamiliesScreen } from './families-screen.tsx';
import { LevelScreen } from './level-screen.tsx';

/** The catalogue: its families, or the level that the address names. */
export function HomePage() {
  const ids = readLevel(useSearch());
  useEndpoint(initData, { body: {} });
  return ids.length === 0 ? <FamiliesScreen /> : <LevelScreen ids={ids} />;
}
