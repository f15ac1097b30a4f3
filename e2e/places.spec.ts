import type { Page } from '@playwright/test';
import { desktopSize, landscapeSize } from './browser.ts';
import { expect, test } from './fixtures.ts';
import { boxOf } from './layout.ts';
import { enterAs } from './steps.ts';

const scrolledBy = (page: Page) => page.evaluate(() => scrollY);
const navigationOf = (page: Page) => page.getByRole('navigation', { name: 'Navigation principale' });

test('whoever comes in sees home from its top, however far down the way in was @slow', async ({ page, product }) => {
  await page.setViewportSize(landscapeSize);
  await page.goto(product.url);
  await page.getByRole('button', { name: "Continuer en tant qu'invité" }).click();
  await expect(page.getByRole('heading', { name: 'Bonjour Invité' })).toBeInViewport({ ratio: 1 });
  expect(await scrolledBy(page)).toBe(0);
});

test('on a desk a screen with room to spare does not scroll @slow', async ({ page, product }) => {
  await page.setViewportSize(desktopSize);
  await enterAs(page, product, { firstName: 'Rasmata', lastName: 'Kinda', phone: '76920001' });
  await expect(page.getByText('Transfert d’argent')).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0);
});

test('the word of a lost line covers none of the navigation beside the screen @slow', async ({ page, product }) => {
  await page.setViewportSize(landscapeSize);
  await enterAs(page, product, { firstName: 'Salamata', lastName: 'Kinda', phone: '76920002' });
  await page.getByRole('link', { name: 'Paramètres' }).click();
  await expect(page.getByText('À propos')).toBeVisible();
  await page.context().setOffline(true);
  const word = page.getByText(/^Hors ligne/);
  await expect(word).toBeVisible();
  await page.evaluate(() => scrollTo(0, 100));
  await expect.poll(() => scrolledBy(page)).toBe(100);
  const bar = await boxOf(word);
  expect((await boxOf(navigationOf(page))).y).toBeGreaterThanOrEqual(bar.bottom - 0.5);
  await page.context().setOffline(false);
});

test('a screen that does not come leaves the navigation where it is @slow', async ({ page, product }) => {
  await page.setViewportSize(desktopSize);
  await page.route('**/assets/tickets-page-*', (route) => route.abort());
  await enterAs(page, product, { firstName: 'Alizèta', lastName: 'Kinda', phone: '76920003' });
  await page.getByRole('link', { name: 'Tickets' }).click();
  await expect(page.getByText('Cette page n’a pas pu être chargée.')).toBeVisible();
  expect((await boxOf(navigationOf(page))).x).toBe(0);
});
