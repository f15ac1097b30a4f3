import { defineConfig } from 'vitest/config';

/** `npm run test:databases`: on packages of Debian that `npm test` does without. */
export default defineConfig({
  test: { include: ['server/testing/foreign-servers.check.ts'], hookTimeout: 60_000, testTimeout: 60_000 },
});
