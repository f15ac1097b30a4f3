import type { Page } from '@playwright/test';
import { untilAnswered } from './answers.ts';
import { test } from './branch.ts';
import { expect } from './fixtures.ts';
import { enterAsGuest, outside } from './steps.ts';

const searchBox = (page: Page) => page.getByRole('searchbox', { name: 'Rechercher un service' });
const inMain = (page: Page, name: string | RegExp) => page.getByRole('main').getByRole('button', { name });

test('a search through every level: without accents, best first, each hit with its path, kept by reload and back', async ({
  page,
  product,
}) => {
  await page.goto(outside);
  await enterAsGuest(page, product);
  const field = searchBox(page);
  await field.fill('electricite');
  const hit = inMain(page, /^Électricité/);
  await expect(page.getByRole('status').filter({ hasText: 'résultats' })).toHaveText('8 résultats');
  const hits = page.getByRole('main').getByRole('listitem');
  await expect(hits.first()).toContainText('Électricité');
  // What all their paths have is said once.
  await expect(page.getByRole('main')).toContainText('Dans Factures et paiements');
  await expect(hits.filter({ hasText: 'Factures et paiements' })).toHaveCount(0);
  await expect(hits.nth(1)).toHaveText(/\wÉlectricité$/);

  await expect(page).toHaveURL(`${product.url}/?q=electricite`);
  await page.reload();
  await expect(field).toHaveValue('electricite');
  await hit.click();
  await expect(page.getByRole('heading', { name: 'Électricité - Services' })).toBeVisible();
  await page.goBack();
  await expect(field).toHaveValue('electricite');
  await expect(hit).toBeVisible();

  await inMain(page, /^SONABEL/).click();
  await expect(page.getByRole('heading', { name: 'Récapitulatif de la commande' })).toBeVisible();
  const { services } = JSON.parse((await page.evaluate(() => sessionStorage.getItem('guichet_order'))) ?? '{}');
  expect(services.map(({ name }: { name: string }) => name)).toEqual([
    'Factures et paiements',
    'Électricité',
    'SONABEL',
  ]);
  await page.goBack();
  await expect(hit).toBeVisible();
  // Home and its search are one entry of the history.
  await page.goBack();
  await expect(page).toHaveURL(outside);
});

test('the whole catalogue comes when nothing else is to do, for those who save data when they search; then no line is needed', async ({
  page,
  product,
}) => {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setDataSaverOverride', { dataSaverEnabled: true });
  let asked = 0;
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/catalogue') asked += 1;
  });
  await enterAsGuest(page, product);
  await expect(inMain(page, /Banque et épargne/)).toBeVisible();
  await untilAnswered(page);
  expect(asked).toBe(0);
  const answered = page.waitForResponse('**/api/catalogue');
  await searchBox(page).focus();
  await (await answered).finished();
  expect(asked).toBe(1);

  // In data-saving mode a level's screen loads when one is first opened.
  await inMain(page, /Banque et épargne/).click();
  await expect(page.getByRole('heading', { name: 'Banque et épargne - Services' })).toBeVisible();
  await page.goBack();
  await page.context().setOffline(true);
  await searchBox(page).fill('epargne');
  await inMain(page, /^Épargne/).click();
  await expect(page.getByRole('heading', { name: 'Épargne - Services' })).toBeVisible();
  await expect(inMain(page, 'Tontine du mois')).toBeVisible();
  await page.context().setOffline(false);

  await devtools.send('Emulation.setDataSaverOverride', { dataSaverEnabled: false });
  const unasked = page.waitForRequest('**/api/catalogue');
  await page.goto(product.url);
  await unasked;
});
