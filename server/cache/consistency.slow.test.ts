import { afterAll, expect, test, vi } from 'vitest';
import { runChaos } from '#server/testing/chaos/run.ts';
import { cleanUp } from '#server/testing/server-process.ts';

/** Whole processes start here, on machines that may be busy. */
vi.setConfig({ testTimeout: 240_000 });

afterAll(() => cleanUp());

test('whatever breaks, nobody reads what is older than a second, or than what they wrote, or by a right that has ended', async () => {
  const report = await runChaos({ rounds: 1, isPooled: false });
  expect(report.wrong, `FIRE_SEED=${report.seed}`).toEqual([]);
  expect(report.judged).toBeGreaterThan(500);
  expect(report.unchanged).toBeGreaterThan(100);
});
