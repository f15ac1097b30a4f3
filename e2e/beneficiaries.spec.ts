import type { Page } from '@playwright/test';
import { listBeneficiaries } from '#contract/beneficiaries.ts';
import { findViolations } from './accessibility.ts';
import { desktopSize } from './browser.ts';
import { callAs } from './caller.ts';
import { expect, test } from './fixtures.ts';
import { confirmOrder, drillDown, enterBy, toBundle } from './steps.ts';

const number = (page: Page) => page.getByLabel('Numéro du bénéficiaire');
const name = (page: Page) => page.getByLabel('Nom du bénéficiaire');
const save = (page: Page) => page.getByRole('button', { name: 'Enregistrer' });
const line = (page: Page) => page.getByText(/^Bénéficiaire\s:/);
const naming = (page: Page) => page.getByRole('button', { name: 'Nommer ce numéro', exact: true });

test.use({ hasTouch: true });

test('P7.16, a number gets a name in the order, which chips and tickets then say', async ({ page, product }) => {
  const caller = await callAs(product, { firstName: 'Nommée', lastName: 'Nomme', phone: '78004101' });
  await enterBy(page, product, caller.entrance);
  await drillDown(page, toBundle);
  await expect(naming(page)).toHaveCount(0);
  await number(page).fill('76 12 34 56');
  await expect(line(page)).toHaveText(/Burkina Faso · \+226\s76\s12\s34\s56$/);
  await naming(page).tap();
  await expect(name(page)).toBeFocused();
  await name(page).fill('  ');
  await save(page).tap();
  await expect(name(page)).toHaveAccessibleDescription('Saisissez un nom.');
  await name(page).fill('Maman');
  await save(page).tap();
  await expect(line(page)).toHaveText(/:\sMaman · \+226\s76\s12\s34\s56$/);
  // Nothing was ordered by it, and the keyboard has its place.
  const renaming = page.getByRole('button', { name: 'Renommer ce numéro' });
  await expect(renaming).toBeFocused();
  const known = page.getByRole('list', { name: 'Numéros déjà utilisés' });
  await expect(known.getByRole('button', { name: /^Pour Maman 76 12 34 56$/ })).toHaveAttribute('aria-pressed', 'true');
  expect(await caller.send('GET', listBeneficiaries.path)).toEqual([{ phone: '+22676123456', name: 'Maman' }]);
  await confirmOrder(page, { beneficiary: '76 12 34 56', total: /1.050\sFCFA/ });
  await page.getByRole('button', { name: 'Fermer' }).click();
  await expect(page.getByText(/pour\sMaman\s· \+226 76 12 34 56$/)).toBeVisible();
  await page.getByRole('link', { name: 'Accueil' }).click();
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Tickets' }).click();
  await expect(page.getByText(/pour\sMaman\s· /)).toBeVisible();
});

test('P11.12, named numbers are added, renamed and deleted in the settings by keyboard', async ({ page, product }) => {
  await page.setViewportSize(desktopSize);
  const caller = await callAs(product, { firstName: 'Rangée', lastName: 'Nomme', phone: '78004103' });
  await caller.send('PUT', '/api/beneficiaries/+22676123456', { name: 'Maman' });
  await caller.send('PUT', '/api/beneficiaries/+2250701234567', { name: 'Zoé' });
  await enterBy(page, product, caller.entrance, '/settings');
  const opener = page.getByRole('button', { name: 'Bénéficiaires' });
  await opener.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Bénéficiaires' });
  const rows = dialog.getByRole('listitem');
  const button = (text: string) => dialog.getByRole('button', { name: text, exact: true });
  await expect(rows).toHaveText([/^Maman\+226 76 12 34 56/, /^Zoé\+225 07 01 23 45 67/]);
  await button('Actions pour Maman').press('Enter');
  await button('Renommer Maman').press('Enter');
  await name(page).fill('Tantie');
  await name(page).press('Enter');
  await expect(rows).toHaveText([/^Tantie/, /^Zoé/]);
  await expect(button('Actions pour Tantie')).toBeFocused();
  expect(await findViolations(page)).toEqual([]);

  await button('+ Ajouter').press('Enter');
  const added = dialog.getByLabel('Numéro', { exact: true });
  await expect(added).toBeFocused();
  await page.keyboard.type('76112233');
  await expect(name(page)).toBeFocused();
  await page.keyboard.type('Oncle');
  await page.keyboard.press('Enter');
  await expect(rows).toHaveText([/^Oncle\+226 76 11 22 33/, /^Tantie/, /^Zoé/]);
  await button('Actions pour Oncle').press('Enter');
  await button('Supprimer Oncle').press('Enter');
  await button('Supprimer Oncle pour de bon').press('Enter');
  await expect(rows).toHaveText([/^Tantie/, /^Zoé/]);

  await button('Actions pour Tantie').press('Enter');
  await button('Supprimer Tantie').press('Enter');
  await expect(rows.first()).toContainText('Vos demandes pour ce numéro restent, sans ce nom.');
  await page.context().setOffline(true);
  await button('Supprimer Tantie pour de bon').press('Enter');
  await expect(page.getByText(/^Pas de réponse du réseau/)).toBeVisible();
  await page.context().setOffline(false);
  await button('Supprimer Tantie pour de bon').press('Enter');
  await expect(rows).toHaveText([/^Zoé/]);
  await page.keyboard.press('Escape');
  await expect(opener).toBeFocused();
});
