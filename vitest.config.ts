import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { retries, vitestOutcome } from './scripts/outcome.ts';

export default defineConfig({
  test: {
    retry: retries,
    reporters: ['default', vitestOutcome],
    globalSetup: ['./server/testing/global-setup.ts'],
    setupFiles: ['./server/testing/seed-properties.ts', './server/testing/patience.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A fact is waited for, however slow the machine is.
    expect: { poll: { timeout: 60_000, interval: 5 } },
    // One more than the least machine has processors: tests wait for PostgreSQL and for the clock.
    maxWorkers: 3,
    // No test needs the one before it.
    sequence: { seed: 20261127, shuffle: { tests: true } },
    // For the processes and threads that tests start, which read the same files each time.
    env: { NODE_COMPILE_CACHE: path.resolve('node_modules/.cache/guichet-compiled') },
    include: ['{architecture,contract,ops,proof/bench,scripts,server,web}/**/*.test.ts'],
    // Each file has a database of its own and no state in modules, so they share what is imported: half the time.
    isolate: false,
  },
});
