import { type Browser, chromium, type Page } from '@playwright/test';
import { browserOptions } from '../../e2e/browser.ts';
import type { Product } from '../../e2e/product.ts';
import { median, type Row, type Rows } from './figures.ts';
import { makeFolder } from './fill.ts';
import { openProduct } from './open-product.ts';
import type { Stage } from './stage.ts';

/**
 * What a person on a slow line waits for: the product as `npm start` serves it, in a browser whose line gives 400 kb/s with
 * 2,000 ms each way round and whose processor is four times slower. Each figure is the median of three; beside it stand what
 * was asked for and what the version before took.
 */
const line = { offline: false, latency: 2_000, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const slowdown = 4;
const runs = 3;

interface Times {
  /** Milliseconds from the start of the navigation. */
  paint: number;
  usable: number;
}

/** What shows that a screen can be used: the tabs of the first screen, the families of services on home. */
const signs = { 'signed out': '[role=tab]', home: 'main li button' } as const;
type Screen = keyof typeof signs;

const asked: Record<string, { paint?: number; usable: number; before?: { paint?: number; usable: number } }> = {
  'signed out, cold': { paint: 3, usable: 6.3, before: { paint: 6.4, usable: 6.7 } },
  'home, cold': { paint: 3, usable: 7.5, before: { paint: 6.4, usable: 11.9 } },
  'signed out, from the service worker': { usable: 1.5, before: { paint: 2.8, usable: 3 } },
  'home, from the service worker': { usable: 1.5, before: { paint: 2.8, usable: 5.4 } },
  'signed out, no line at all': { usable: 1.5 },
  'home, no line at all': { usable: 1.5 },
};

export async function measure(stage: Stage): Promise<Rows> {
  const product = await openProduct(stage, makeFolder(stage), { RATE_LIMITS: 'on', LOG_LEVEL: 'error' });
  const browser = await chromium.launch(browserOptions.launchOptions);
  stage.ends.add(() => browser.close());
  const user = await enter(browser, product);
  const rows: Rows = {};
  for (const screen of Object.keys(signs) as Screen[]) {
    const kinds: Record<string, Times[]> = { cold: [], 'from the service worker': [], 'no line at all': [] };
    for (let run = 0; run < runs; run += 1) {
      const context = await makeContext(browser, screen === 'home' ? user : undefined);
      const first = await context.newPage();
      kinds.cold?.push(await timeVisit(first, product, screen, line));
      await installed(first);
      await first.close();
      const second = await context.newPage();
      kinds['from the service worker']?.push(await timeVisit(second, product, screen, line));
      await second.close();
      await context.setOffline(true);
      kinds['no line at all']?.push(await timeVisit(await context.newPage(), product, screen));
      await context.close();
    }
    for (const [kind, times] of Object.entries(kinds))
      rows[`${screen}, ${kind}`] = rowOf(times, asked[`${screen}, ${kind}`] ?? { usable: 0 });
  }
  return rows;
}

function rowOf(times: Times[], { paint, usable, before }: (typeof asked)[string]): Row {
  const seconds = (of: keyof Times) => Number((median(times.map((each) => each[of])) / 1_000).toFixed(2));
  return {
    'first paint (s)': seconds('paint'),
    'asked for': paint ?? '',
    before: before?.paint ?? '',
    'usable (s)': seconds('usable'),
    'asked for ': usable,
    'before ': before?.usable ?? '',
  };
}

/** A new person's session, as a browser keeps it. */
async function enter(browser: Browser, { url, readCode }: Product) {
  const { request, ...context } = await browser.newContext().then((made) => ({ request: made.request, made }));
  const phone = '+22670445566';
  const password = 'secret-123';
  const person = { firstName: 'Awa', lastName: 'Ouédraogo', phone, countryCode: '+226' };
  await request.post(`${url}/api/auth/signup`, { data: { ...person, password, confirmPassword: password } });
  const answer = await request.post(`${url}/api/auth/verify-otp`, { data: { phone, code: await readCode(phone) } });
  const { user } = (await answer.json()) as { user: object };
  const { cookies } = await context.made.storageState();
  await context.made.close();
  const localStorage = [{ name: 'guichet_user', value: JSON.stringify(user) }];
  return { cookies, origins: [{ origin: url, localStorage }] };
}

function makeContext(browser: Browser, storageState: Awaited<ReturnType<typeof enter>> | undefined) {
  const { launchOptions, ...options } = browserOptions;
  return browser.newContext({ ...options, ...(storageState && { storageState }) });
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
