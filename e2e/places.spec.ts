import type { Page } from '@playwright/test';
import { desktopSize, landscapeSize, phoneSize } from './browser.ts';
import { callAs, fileTickets } from './caller.ts';
import { expect, test } from './fixtures.ts';
import { boxOf } from './layout.ts';
import { closeMessage } from './messages.ts';
import { enterAs, enterBy } from './steps.ts';

const scrolledBy = (page: Page) => page.evaluate(() => scrollY);
const navigationOf = (page: Page) => page.getByRole('navigation', { name: 'Navigation principale' });

test('whoever comes in sees home from its top, however far down the way in was @slow', async ({ page, product }) => {
  await page.setViewportSize(landscapeSize);
  await page.goto(product.url);
  await page.getByRole('button', { name: "Continuer en tant qu'invité" }).click();
  await expect(page.getByRole('heading', { name: 'Bonjour Invité' })).toBeInViewport({ ratio: 1 });
  expect(await scrolledBy(page)).toBe(0);
});

test('what a screen is for is in sight without scrolling on a phone on its side, and on a desk what follows a sign-up @slow', async ({
  page,
  product,
}) => {
  const expectInSight = async (...names: string[]) => {
    for (const name of names)
      await expect(page.getByRole('main').locator('a, button').filter({ hasText: name })).toBeInViewport({ ratio: 1 });
  };
  const asGuest = "Continuer en tant qu'invité";
  await page.setViewportSize(desktopSize);
  await page.goto(product.url);
  await page.getByRole('tab', { name: 'Inscription' }).click();
  await expectInSight("S'inscrire", asGuest);
  await page.getByRole('tab', { name: 'Connexion' }).click();
  await page.setViewportSize(landscapeSize);
  await expectInSight('Mot de passe oublié', 'Se connecter', asGuest);
  await page.getByRole('button', { name: asGuest }).click();
  const greeting = await boxOf(page.getByRole('heading', { name: 'Bonjour Invité' }));
  const search = await boxOf(page.getByRole('searchbox'));
  expect(search.x).toBeGreaterThan(greeting.x);
  expect(search.y).toBeLessThan(greeting.bottom);
  await page.getByRole('link', { name: 'Notifications' }).click();
  await expectInSight('Créer un compte', 'Explorer les services');
  await page.getByRole('link', { name: 'Paramètres' }).click();
  await expectInSight('Créer un compte', 'Quitter le mode invité');
});

test('on a desk a screen with room to spare does not scroll @slow', async ({ page, product }) => {
  await page.setViewportSize(desktopSize);
  await enterAs(page, product, { firstName: 'Rasmata', lastName: 'Kinda', phone: '76920001' });
  await expect(page.getByText("Transfert d'argent")).toBeVisible();
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

test('the offer of a new version pushes no entry of the navigation beside the screen out of sight @slow', async ({
  page,
  product,
}) => {
  await page.setViewportSize(landscapeSize);
  await page.addInitScript(() => {
    const waiting = Object.assign(new EventTarget(), { state: 'installed', postMessage: () => {} });
    const registration = Object.assign(new EventTarget(), { waiting, update: async () => {} });
    const workers = { controller: {}, register: async () => registration, getRegistration: async () => registration };
    const fake = Object.assign(new EventTarget(), workers, { ready: Promise.resolve(registration) });
    Object.defineProperty(navigator, 'serviceWorker', { get: () => fake });
  });
  await enterAs(page, product, { firstName: 'Zénabou', lastName: 'Kinda', phone: '76920009' });
  await expect(page.getByText('Nouvelle version disponible')).toBeVisible();
  await expect(navigationOf(page).getByText('Paramètres')).toBeInViewport({ ratio: 1 });
});

test('a screen that does not come leaves the navigation where it is @slow', async ({ page, product }) => {
  await page.setViewportSize(desktopSize);
  await page.route('**/assets/tickets-page-*', (route) => route.abort());
  await enterAs(page, product, { firstName: 'Alizèta', lastName: 'Kinda', phone: '76920003' });
  await page.getByRole('link', { name: 'Tickets' }).click();
  await expect(page.getByText("Cette page n'a pas pu être chargée.")).toBeVisible();
  expect((await boxOf(navigationOf(page))).x).toBe(0);
  await expect(page.getByRole('heading', { level: 1, name: 'Page non chargée' })).toBeVisible();
  await page.getByRole('link', { name: "Retour à l'accueil" }).click();
  await expect(page.getByRole('heading', { name: 'Bonjour Alizèta' })).toBeVisible();
});

test('the navigation marks Tickets on the screen of one, too; a message stands above the middle of the column @slow', async ({
  page,
  product,
}) => {
  const caller = await callAs(product, { firstName: 'Talato', lastName: 'Kinda', phone: '76920004' });
  const [id] = await fileTickets(caller, 1);
  await caller.end();
  await enterBy(page, product, caller.entrance, `/ticket/${id}`);
  const copy = page.getByRole('button', { name: 'Copier' });
  await expect(navigationOf(page).getByRole('link', { name: 'Tickets' })).toHaveAttribute('aria-current', 'page');
  for (const size of [desktopSize, phoneSize]) {
    await page.setViewportSize(size);
    await copy.click();
    const toast = await boxOf(page.getByRole('status').or(page.getByRole('alert')).locator('> div'));
    const column = await boxOf(page.getByRole('main'));
    expect(toast.x + toast.width / 2).toBeCloseTo(column.x + column.width / 2, 0);
    if (size === phoneSize) expect([toast.x, toast.right]).toEqual([16, phoneSize.width - 16]);
    await closeMessage(page);
  }
});
