import type { Page } from '@playwright/test';
import { findViolations } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { expectNoSidewaysScroll } from './layout.ts';
import { expectToast } from './messages.ts';
import { enterAs } from './steps.ts';

const entry = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name });
const save = (page: Page) => page.getByRole('button', { name: 'Enregistrer' });

test('P11.9, a person changes their profile: told what is wrong at each field, kept without an answer, greeted by the new name', async ({
  page,
  product,
  provoke,
}) => {
  provoke('ERR_FAILED', '429 /api/auth/profile');
  await enterAs(page, product, { firstName: 'Awa', lastName: 'Avant', phone: '77000191' });
  const other = await page.context().newPage();
  await other.goto(product.url);
  await page.getByRole('link', { name: 'Paramètres' }).click();
  await entry(page, 'Profil').click();
  const dialog = page.getByRole('dialog', { name: 'Profil' });
  const [first, last, email] = ['Prénom', 'Nom', 'E-mail (facultatif)'].map((label) =>
    dialog.getByLabel(label, { exact: true }),
  ) as [typeof dialog, typeof dialog, typeof dialog];
  await expect(first).toHaveValue('Awa');
  await expect(dialog).toContainText(/\+226 77 00 01 9\d.*Le numéro ne change pas/);
  await expectNoSidewaysScroll(page);
  expect(await findViolations(page)).toEqual([]);

  await first.fill(' ');
  await email.fill('sans arobase');
  await save(page).click();
  await expect(dialog.getByText('Ce champ est requis.')).toBeVisible();
  await expect(dialog.getByText("Cette adresse e-mail n'est pas valide.")).toBeVisible();
  await expect(first).toBeFocused();

  await page.route('**/api/auth/profile', (route) => route.abort());
  await first.fill('Aïcha');
  // By keyboard: from field to field, and sent by Enter.
  await page.keyboard.press('Tab');
  await expect(last).toBeFocused();
  await page.keyboard.type('Après');
  await page.keyboard.press('Tab');
  await expect(email).toBeFocused();
  await page.keyboard.type('aicha@exemple.bf');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('alert')).toContainText('Pas de réponse du réseau.');
  await expect(first).toHaveValue('Aïcha');
  await page.unroute('**/api/auth/profile');
  const message = 'Trop de tentatives. Réessayez plus tard.';
  await page.route('**/api/auth/profile', (route) =>
    route.fulfill({ status: 429, json: { code: 'TOO_MANY', message } }),
  );
  await save(page).click();
  await expect(dialog.getByRole('alert')).toContainText(message);
  await page.unroute('**/api/auth/profile');

  await save(page).click();
  await expectToast(page, 'Profil modifié');
  await expect(dialog).toBeHidden();
  await expect(entry(page, 'Profil')).toBeFocused();
  const main = page.getByRole('main');
  for (const text of ['Aïcha Après', 'aicha@exemple.bf']) await expect(main.getByText(text)).toBeVisible();
  await expect(other.getByRole('heading', { name: 'Bonjour Aïcha' })).toBeVisible();
  await other.close();
  await page.getByRole('link', { name: 'Accueil' }).click();
  await expect(page.getByRole('heading', { name: 'Bonjour Aïcha' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Bonjour Aïcha' })).toBeVisible();
  await page.getByRole('link', { name: 'Paramètres' }).click();
  await entry(page, 'Profil').click();
  await email.fill('');
  await save(page).click();
  await expectToast(page, 'Profil modifié');
  await expect(main.getByText('aicha@exemple.bf')).toBeHidden();
});
