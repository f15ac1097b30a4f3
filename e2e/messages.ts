import type { Locator, Page } from '@playwright/test';
import { expect } from './fixtures.ts';

const messageOf = (page: Page, role: 'status' | 'alert', title: string): Locator =>
  page.getByRole(role).filter({ hasText: title }).locator('> div').first();

/** The toast `title` / `text`, as docs/product.md has it. */
export async function expectToast(page: Page, title: string, text: string | RegExp = ''): Promise<void> {
  const message = messageOf(page, 'status', title);
  await expect(message).toBeVisible();
  await expect(message).toContainText(text);
}

/** The same of a failure: destructive, and so spoken at once. */
export async function expectFailure(page: Page, title: string, text: string | RegExp = ''): Promise<void> {
  const message = messageOf(page, 'alert', title);
  await expect(message).toBeVisible();
  await expect(message).toContainText(text);
}

/** Another message of the same words is another one. */
export async function closeMessage(page: Page): Promise<void> {
  const close = page.getByRole('button', { name: 'Fermer le message' });
  await close.click();
  await expect(close).toBeHidden();
}

/** Refuses every call to an address, without a word of the server's or with one. */
export async function refuse(page: Page, url: string, message?: string): Promise<void> {
  await page.unroute(url);
  await page.route(url, (route) =>
    route.fulfill({ status: 500, ...(message ? { json: { message } } : { contentType: 'text/plain', body: '' }) }),
  );
}

/** What the server says in its own words, in these tests. */
export const ownWords = 'Le serveur dit pourquoi.';

/** A call that the server refuses is told in the screen's own words where it says nothing, and else in the server's. */
export async function expectRefusalTold(
  page: Page,
  { url, title, fallback, send }: { url: string; title: string; fallback: string; send: () => Promise<void> },
): Promise<void> {
  for (const message of [undefined, ownWords]) {
    await refuse(page, url, message);
    await send();
    await expectFailure(page, title, message ?? fallback);
  }
  await page.unroute(url);
}
