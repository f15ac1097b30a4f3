import { defineConfig } from '@playwright/test';
import { browserOptions, desktopSize } from './e2e/browser.ts';
import { retries } from './scripts/outcome.ts';

/** Which tests run: the everyday ones, the slow ones or all. */
const { TIER: tier = 'everyday' } = process.env;

const tiers = [
  { tier: 'slow', name: 'slow', grep: /@slow/ },
  // The journeys of phones once more: on a desk, and with fingers in place of a mouse.
  { tier: 'slow', name: 'desk', grep: /@sizes/, use: { viewport: desktopSize } },
  { tier: 'slow', name: 'touch', grep: /@sizes/, use: { hasTouch: true, isMobile: true } },
  { tier: 'everyday', name: 'everyday', grepInvert: /@slow/ },
].filter((each) => tier === 'all' || tier === each.tier);
if (tiers.length === 0) throw new Error(`TIER is everyday, slow or all, not ${tier}`);

export default defineConfig({
  testDir: './e2e',
  timeout: 120_000,
  expect: { timeout: 30_000 },
  // Each worker has a product of its own; the tests of one share it and so use other people's numbers.
  workers: 2,
  fullyParallel: true,
  projects: tiers.map(({ tier: _, ...project }) => project),
  forbidOnly: true,
  retries,
  reporter: [['list'], ['./scripts/outcome.ts']],
  // What turns, breathes and rises costs frames, and the service worker fetches the whole app for each test, a third of its time.
  // The tours of all screens judge with what moves; the main job, what is lost on the line and what the worker is for have it.
  use: { ...browserOptions, contextOptions: { reducedMotion: 'reduce' }, serviceWorkers: 'block' },
});
