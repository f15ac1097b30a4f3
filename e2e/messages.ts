import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';

const expectMessage =
  (role: 'status' | 'alert') =>
  async (page: Page, title: string, text: string | RegExp = ''): Promise<void> => {
    const message = page.getByRole(role).filter({ hasText: title }).locator('> div').first();
    await expect(message).toBeVisible();
    await expect(message).toContainText(text);
  };

/** Expects the toast `title` / `text` of docs/product.md. */
export const expectToast = expectMessage('status');
/** The same for a failure: destructive, and so announced at once. */
export const expectFailure = expectMessage('alert');

/** Closes a message, so that the next one with the same words is a new one; it may have gone by itself. */
export async function closeMessage(page: Page): Promise<void> {
  const close = page.getByRole('button', { name: 'Fermer le message' });
  await close.evaluateAll((all) => {
    for (const each of all) (each as HTMLElement).click();
  });
  await expect(close).toBeHidden();
}

/** Refuses every call to an address, with or without a message from the server. */
export async function refuse(page: Page, url: string, message?: string): Promise<void> {
  await page.unroute(url);
  await page.route(url, (route) =>
    route.fulfill({ status: 500, ...(message ? { json: { message } } : { contentType: 'text/plain', body: '' }) }),
  );
}

export const ownWords = 'Le serveur dit pourquoi.';

/** Expects the screen's own sentence for a refusal without a message, else the server's. */
export async function expectRefusalShown(
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
