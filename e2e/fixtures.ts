import {
  type BrowserContext,
  test as base,
  type ConsoleMessage,
  expect,
  type Page,
  type Request,
} from '@playwright/test';
import { followRequests } from './answers.ts';
import { callAsAdministrator } from './caller.ts';
import { type Product, startProduct } from './product.ts';

interface Watched {
  /** Console errors, exceptions and violations of the security policy of a page; none may be left at the end. */
  complaints: string[];
  /** Names the complaints that a test provokes, by a part of their text: '409 /api/tickets'. */
  provoke: (...parts: string[]) => void;
  provoked: string[];
}

/** One product for all tests of a worker; all pages are watched for complaints. */
export const test = base.extend<Watched, { product: Product }>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures it needs from this pattern
    async ({}, use) => {
      const product = await startProduct();
      try {
        await raiseCaps(product);
        await use(product);
      } finally {
        await product.stop();
      }
    },
    { scope: 'worker' },
  ],
  page: async ({ page }, use) => {
    followRequests(page);
    drawBeforeActing(page);
    await use(page);
    // A poll held by a route at the end of the test is no failure.
    if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' });
  },
  // biome-ignore lint/correctness/noEmptyPattern: as above
  provoked: async ({}, use) => use([]),
  provoke: async ({ provoked }, use) => use((...parts) => void provoked.push(...parts)),
  complaints: [
    async ({ browser, provoked }, use) => {
      const complaints: string[] = [];
      const record = (complaint: string) => {
        if (!provoked.some((part) => complaint.includes(part))) complaints.push(complaint);
      };
      const listen = (context: BrowserContext) => void watch(context, record);
      // Includes other people's pages that a test opens.
      browser.on('context', listen);
      await use(complaints);
      browser.off('context', listen);
      expect(complaints, 'what the pages complained of').toEqual([]);
    },
    { auto: true },
  ],
});

/** From now on a new size is waited for until it is drawn, since what is there for the old one takes a click and goes. */
function drawBeforeActing(page: Page): void {
  const resize = page.setViewportSize.bind(page);
  page.setViewportSize = async (size) => {
    await resize(size);
    // The app measures in the first frame, draws after it, and is done with that when the browser has nothing to do,
    // which a headless one does not always tell.
    await page.evaluate(async () => {
      for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
      await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1_000 }));
    });
  };
}

/** All tests of a worker together may exceed the daily cap of sign-ups. */
async function raiseCaps(product: Product): Promise<void> {
  const admin = await callAsAdministrator(product);
  await admin.send('PUT', '/api/admin/sms/settings', { perCountryAndDay: 10_000, onDecision: false });
}

/** Errors of aborted routes and of a network that is switched off; on loopback no other cause exists. */
const cut = /net::ERR_(FAILED|CONNECTION_RESET|INTERNET_DISCONNECTED)$/;

const isSignOut = (request: Request) => request.method() === 'POST' && request.url().endsWith('/api/auth/signout');

/** Reports each complaint of a context's pages from now on. */
async function watch(context: BrowserContext, report: (complaint: string) => void): Promise<void> {
  // A call that crosses a sign-out is rightly refused, and the browser logs it, be it after the next sign-in.
  const open = new Set<Request>();
  const crossing = new Set<string>();
  context.on('request', (request) => {
    open.add(request);
    if ([...open].some(isSignOut)) for (const each of open) crossing.add(each.url());
  });
  context.on('requestfinished', (request) => open.delete(request));
  context.on('requestfailed', (request) => open.delete(request));
  context.on('console', (message) => {
    if (message.type() !== 'error') return;
    const complaint = spell(message);
    if (cut.test(message.text())) return;
    if (complaint.startsWith('401 /api/') && crossing.has(message.location().url)) return;
    report(complaint);
  });
  context.on('weberror', (thrown) => report(`error: ${thrown.error().message}`));
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`);
    });
  });
}

/** '409 /api/tickets' for a refused call, since the browser's text lacks the call; else the console's text. */
function spell(message: ConsoleMessage): string {
  const [, status] = /^Failed to load resource: the server responded with a status of (\d+)/.exec(message.text()) ?? [];
  return status ? `${status} ${new URL(message.location().url).pathname}` : `console: ${message.text()}`;
}

export { expect };
