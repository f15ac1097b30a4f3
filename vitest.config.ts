import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { retries, vitestOutcome } from './scripts/outcome.ts';

/** Whole processes: they start and stop servers, and need a process of their own for it. */
const processTests = ['server/process/{start,stop,runtime}.test.ts', '**/*.slow.test.ts'];

export default defineConfig({
  test: {
    retry: retries,
    includeTaskLocation: true,
    reporters: ['default', vitestOutcome],
    globalSetup: ['./server/testing/global-setup.ts'],
    setupFiles: ['./server/testing/seed-properties.ts', './server/testing/patience.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A fact is waited for, however slow the machine is.
    expect: { poll: { timeout: 60_000, interval: 5 } },
    // One more than the least machine has processors: tests wait for PostgreSQL and for the clock.
    maxWorkers: 3,
    sequence: { seed: 20261127 },
    // How much a test that may be longer or shorter takes on.
    provide: { scale: 'quick' },
    // For the processes and threads that tests start, which read the same files each time.
    env: { NODE_COMPILE_CACHE: path.resolve('node_modules/.cache/guichet-compiled') },
    projects: [
      {
        extends: true,
        test: {
          name: 'files',
          include: ['{architecture,contract,ops,proof/bench,scripts,server,web}/**/*.test.ts'],
          exclude: processTests,
          // Each file has a database of its own and no state in modules, so they share what is imported: half the time.
          isolate: false,
          // No test needs the one before it.
          sequence: { shuffle: { tests: true } },
        },
      },
      { extends: true, test: { name: 'processes', include: processTests, exclude: ['node_modules'] } },
    ],
  },
});
