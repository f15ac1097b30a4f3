import { defineConfig } from '@playwright/test';
import { browserOptions } from './e2e/browser.ts';

export default defineConfig({
  testDir: './e2e',
  testMatch: '*.spec.ts',
  timeout: 120_000,
  expect: { timeout: 15_000 },
  workers: 1,
  forbidOnly: true,
  reporter: [['list']],
  use: { ...browserOptions, trace: 'retain-on-failure' },
});
