import { defineConfig } from '@playwright/test';
import { browserOptions } from './e2e/browser.ts';
import { retries } from './scripts/outcome.ts';

export default defineConfig({
  testDir: './e2e',
  globalSetup: './e2e/build.ts',
  timeout: 120_000,
  expect: { timeout: 30_000 },
  // Each worker has a product of its own; the tests of one share it and so use other people's numbers.
  workers: 3,
  fullyParallel: true,
  forbidOnly: true,
  retries,
  reporter: [['list'], ['./scripts/outcome.ts']],
  // What turns, breathes and rises costs frames, and the service worker fetches the whole app for each test, a third of its time.
  // The tours of all screens judge with what moves; the main job, what is lost on the line and what the worker is for have it.
  use: { ...browserOptions, contextOptions: { reducedMotion: 'reduce' }, serviceWorkers: 'block' },
});
