import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { retries, vitestOutcome } from './scripts/outcome.ts';

/** Whole processes: it starts and stops servers, and needs a process of its own for it. */
const processTests = 'server/process/start.test.ts';
/** What `npm test` does without, beside the quick file of the same name: outages, stress, whole matrices. */
const slowTests = '{architecture,contract,ops,proof/bench,server,web}/**/*.slow.test.ts';

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
          exclude: [processTests, slowTests],
          // Each file has a database of its own and no state in modules, so they share what is imported: half the time.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'processes', include: [processTests] } },
      {
        extends: true,
        test: {
          name: 'slow',
          include: [slowTests],
          provide: { scale: 'full' },
          // What starts and kills processes a dozen times has time on a busy machine, too.
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
});
