import { defineConfig } from 'vitest/config';

/**
 * What `npm test` does without: `npm run test:databases`, on packages of Debian, and
 * `npm run test:npm` and `npm run bench -- outages`, for their time.
 */
export default defineConfig({
  test: { include: ['proof/*.check.ts'], hookTimeout: 60_000, testTimeout: 300_000 },
});
