import type { Locator, Page } from '@playwright/test';
import { expect } from './fixtures.ts';

/** What the steps of the suites "to the letter" share: the messages, the stored entries and the answers of a server. */

const messageOf = (page: Page, role: 'status' | 'alert', title: string): Locator =>
  page.getByRole(role).filter({ hasText: title }).locator('> div').first();

/** The specification's toast `title` / `text`. */
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

/** An entry of the local storage. */
export const stored = (page: Page, key: string): Promise<string | null> =>
  page.evaluate((name) => localStorage.getItem(name), key);

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

/** A password field hides what is typed until its toggle shows it, and hides it again. */
export async function expectToggle(field: Locator): Promise<void> {
  const around = field.locator('xpath=..');
  await expect(field).toHaveAttribute('type', 'password');
  await around.getByRole('button', { name: 'Afficher le mot de passe' }).click();
  await expect(field).toHaveAttribute('type', 'text');
  await around.getByRole('button', { name: 'Masquer le mot de passe' }).click();
  await expect(field).toHaveAttribute('type', 'password');
}

/** Sends a form whose button is disabled, as a script or an assistive device may: its checks answer. */
export async function sendForm(page: Page): Promise<void> {
  await page
    .getByRole('main')
    .locator('form')
    .evaluate((form: HTMLFormElement) => form.requestSubmit());
}

/** Counts the requests of a page to a path from now on. */
export function countRequests(page: Page, method: string, path: RegExp): { count: () => number } {
  let asked = 0;
  page.on('request', (request) => {
    if (request.method() === method && path.test(new URL(request.url()).pathname)) asked += 1;
  });
  return { count: () => asked };
}
