import { type Browser, chromium, type Page } from '@playwright/test';
import { browserOptions } from '../../e2e/browser.ts';
import { type Entrance, enter } from '../../e2e/people.ts';
import type { Product } from '../../e2e/product.ts';
import type { Ends } from './children.ts';
import { figure, median, type Rows, readNumbers } from './figures.ts';
import { makeFolder, openProduct } from './product.ts';

/**
 * What a person on a slow connection waits for: the product as `npm start` serves it, in a browser with 400 kb/s, round trips of
 * 2,000 ms and a processor four times slower. Each figure is the median of `--runs` (three).
 */
const line = { offline: false, latency: 2_000, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const slowdown = 4;

interface Times {
  /** Milliseconds from the start of the navigation. */
  paint: number;
  usable: number;
}

/** What shows that a screen can be used: the tabs of the first screen, the families of services on home. */
const signs = { 'signed out': '[role=tab]', home: 'main li button' } as const;
type Screen = keyof typeof signs;

/** Seconds at most to the first paint, and until the screen can be used. */
const targets: Record<string, { paint?: number; usable: number }> = {
  'signed out, cold': { paint: 3, usable: 6.3 },
  'home, cold': { paint: 3, usable: 7.5 },
  'signed out, from the service worker': { usable: 1.5 },
  'home, from the service worker': { usable: 1.5 },
  'signed out, no line at all': { usable: 1.5 },
  'home, no line at all': { usable: 1.5 },
};

export async function measure(ends: Ends, args: string[]): Promise<Rows> {
  const { runs } = readNumbers(args, { runs: 3 });
  const product = await openProduct(ends, makeFolder(ends), { RATE_LIMITS: 'on', LOG_LEVEL: 'error' });
  const browser = await chromium.launch(browserOptions.launchOptions);
  ends.defer(() => browser.close());
  const somebody = await enter(product, { firstName: 'Awa', lastName: 'Ouédraogo', phone: '70445566' });
  const found: (Times & { title: string })[] = [];
  for (const screen of Object.keys(signs) as Screen[])
    for (let run = 0; run < runs; run += 1) {
      const context = await openContext(browser, screen === 'home' ? somebody : undefined);
      const visit = async (kind: string, conditions?: typeof line, after = async (_: Page) => {}) => {
        const page = await context.newPage();
        found.push({ title: `${screen}, ${kind}`, ...(await timeVisit(page, product, screen, conditions)) });
        await after(page);
        await page.close();
      };
      await visit('cold', line, installed);
      await visit('from the service worker', line);
      await context.setOffline(true);
      await visit('no line at all');
      await context.close();
    }
  const rows: Rows = {};
  for (const [title, { paint, usable }] of Object.entries(targets)) {
    const visits = found.filter((each) => each.title === title);
    const seconds = (of: keyof Times) => median(visits.map((each) => each[of])) / 1_000;
    rows[`${title}: first paint (s)`] = figure(seconds('paint'), paint ? { below: paint } : undefined);
    rows[`${title}: usable (s)`] = figure(seconds('usable'), { below: usable });
  }
  return rows;
}

/** A new browser, signed in where there is somebody. */
async function openContext(browser: Browser, entrance: Entrance | undefined) {
  const { launchOptions, ...options } = browserOptions;
  const context = await browser.newContext(options);
  if (!entrance) return context;
  await context.addCookies([entrance.cookie]);
  await context.addInitScript((user) => localStorage.setItem('guichet_user', user), JSON.stringify(entrance.user));
  return context;
}

/** Opens the product and waits until its screen can be used. */
async function timeVisit(page: Page, { url }: Product, screen: Screen, conditions?: typeof line): Promise<Times> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  if (conditions) await devtools.send('Network.emulateNetworkConditions', conditions);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await page.addInitScript((selector) => {
    const look = () => {
      if (document.querySelector(selector)) Object.assign(window, { usableAt: performance.now() });
      else requestAnimationFrame(look);
    };
    look();
  }, signs[screen]);
  await page.goto(url, { waitUntil: 'commit' });
  const usable = await page.waitForFunction(() => (window as { usableAt?: number }).usableAt, undefined, {
    timeout: 60_000,
  });
  const paint = await page.evaluate(() => performance.getEntriesByName('first-paint')[0]?.startTime ?? 0);
  return { paint, usable: (await usable.jsonValue()) as number };
}

/** Waits, on a line that is not slow, until the service worker has fetched all that it keeps. */
async function installed(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await devtools.send('Network.emulateNetworkConditions', { ...line, latency: 0, downloadThroughput: -1 });
  await page.evaluate(() => navigator.serviceWorker?.ready.then(() => true));
}
