import { afterAll, expect, test, vi } from 'vitest';
import { runChaos } from '../server/testing/chaos/run.ts';
import { cleanUp } from '../server/testing/server-process.ts';

/** Rounds of all that can break: each takes half a minute. */
const rounds = Number(process.env.FIRE_ROUNDS ?? 10);

vi.setConfig({ testTimeout: 120_000 + rounds * 240_000 });

afterAll(() => cleanUp());

// Behind pgbouncer first: it says at once where that is not installed.
test.each([true, false])(
  'nobody reads what is too old under fire, round after round (pgbouncer: %s)',
  async (isPooled) => {
    const report = await runChaos({ rounds, isPooled });
    expect(report.wrong, `FIRE_SEED=${report.seed}`).toEqual([]);
  },
);
