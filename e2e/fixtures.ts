import { test as base, expect, type Page } from '@playwright/test';
import { type Product, startProduct } from './product.ts';

interface Watched {
  /** What the page wrote to the console as an error, threw, or had refused by the security policy. */
  complaints: string[];
}

/** One product for all tests of a worker; and every page is watched for complaints. */
export const test = base.extend<Watched, { product: Product }>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures it needs from this pattern
    async ({}, use) => {
      const product = await startProduct();
      await use(product);
      await product.stop();
    },
    { scope: 'worker' },
  ],
  complaints: async ({ page }, use) => {
    const complaints: string[] = [];
    await watch(page, complaints);
    await use(complaints);
  },
});

/** Collects a page's complaints from now on. */
export async function watch(page: Page, complaints: string[]): Promise<void> {
  // A poll that crosses a sign-out on its way is refused, as it must be, and the browser notes it.
  let signingOut = false;
  page.on('request', (request) => {
    if (request.method() === 'POST') signingOut = request.url().endsWith('/api/auth/signout');
  });
  page.on('console', (message) => {
    const crossed = signingOut && message.text().includes('401') && message.location().url.includes('/api/');
    if (message.type() === 'error' && !crossed) complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`);
    });
  });
}

export { expect };
