import { defineConfig } from 'vitest/config';

/** What `npm test` does without: it takes minutes each, and packages of Debian or root. */
export default defineConfig({
  test: { include: ['proof/*.check.ts'], hookTimeout: 60_000, testTimeout: 300_000 },
});
