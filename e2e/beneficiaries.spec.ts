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
  await number(page).fill('70 12 34 56');
  await expect(line(page)).toHaveText(/Burkina Faso · \+226\s70\s12\s34\s56$/);
  await naming(page).tap();
  await expect(name(page)).toBeFocused();
  await name(page).fill('  ');
  await save(page).tap();
  await expect(name(page)).toHaveAccessibleDescription('Saisissez un nom.');
  await name(page).fill('Maman');
  await save(page).tap();
  await expect(line(page)).toHaveText(/:\sMaman · \+226\s70\s12\s34\s56$/);
  // Nothing was ordered by it, and the keyboard has its place.
  const renaming = page.getByRole('button', { name: 'Renommer ce numéro' });
  await expect(renaming).toBeFocused();
  const known = page.getByRole('list', { name: 'Numéros déjà utilisés' });
  await expect(known.getByRole('button', { name: /^Pour Maman 70 12 34 56$/ })).toHaveAttribute('aria-pressed', 'true');
  expect(await caller.send('GET', listBeneficiaries.path)).toEqual([{ phone: '+22670123456', name: 'Maman' }]);
  await caller.end();
  await confirmOrder(page, { beneficiary: '70 12 34 56', total: /1.050\sFCFA/ });
  await page.getByRole('button', { name: 'Fermer' }).click();
  await expect(page.getByText(/Pour\sMaman · \+226 70 12 34 56$/)).toBeVisible();
  await page.getByRole('link', { name: 'Accueil' }).click();
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Tickets' }).click();
  await expect(page.getByText(/Pour\sMaman · /)).toBeVisible();
});

test('P7.17, a contact of the phone gives its number, and its name to keep', async ({ page, product }) => {
  const caller = await callAs(product, { firstName: 'Contact', lastName: 'Nomme', phone: '78004102' });
  await caller.end();
  // A phone's contacts, of which the person chooses the first that is left.
  await page.addInitScript(() => {
    const chosen: ({ name: string[]; tel?: string[] } | 'refused' | undefined)[] = [
      { name: ['Papa Issa'], tel: ['+33 6 12 34 56 78', '25 30 00 00', '(+225) 07 01 23 45 67', '70 12 34 56'] },
      undefined,
      { name: ['Cousin'], tel: ['+33 6 12 34 56 78'] },
      'refused',
    ];
    const select = async (properties: string[], options: object) => {
      if (properties.join() !== 'name,tel' || JSON.stringify(options) !== '{"multiple":false}') throw new TypeError();
      const next = chosen.shift();
      if (next === 'refused') throw new DOMException('', 'InvalidStateError');
      return next ? [next] : [];
    };
    Object.defineProperty(navigator, 'contacts', { value: { select } });
  });
  await enterBy(page, product, caller.entrance);
  await drillDown(page, toBundle);
  const choose = page.getByRole('button', { name: 'Choisir dans mes contacts' });
  await choose.click();
  await expect(number(page)).toHaveValue('07 01 23 45 67');
  await expect(line(page)).toHaveText(/Côte d'Ivoire · \+225\s07\s01\s23\s45\s67$/);
  await expect(name(page)).toHaveValue('Papa Issa');
  // No keyboard comes up over the order that may be sent as well.
  await expect(choose).toBeFocused();
  await save(page).click();
  await expect(line(page)).toHaveText(/Papa Issa · \+225\s07\s01\s23\s45\s67$/);
  // None was chosen.
  await choose.click();
  await expect(number(page)).toHaveValue('07 01 23 45 67');
  await choose.click();
  await expect(number(page)).toHaveAccessibleDescription(/^Ce pays n'est pas desservi/);
  await choose.click();
  await expect(page.getByText("Vos contacts n'ont pas pu être ouverts.")).toBeVisible();
});

test('P11.12, named numbers are renamed and deleted in the settings by keyboard', async ({ page, product }) => {
  await page.setViewportSize(desktopSize);
  const caller = await callAs(product, { firstName: 'Rangée', lastName: 'Nomme', phone: '78004103' });
  await caller.send('PUT', '/api/beneficiaries/+22670123456', { name: 'Maman' });
  await caller.send('PUT', '/api/beneficiaries/+2250701234567', { name: 'Zoé' });
  await enterBy(page, product, caller.entrance, '/settings');
  const opener = page.getByRole('button', { name: 'Bénéficiaires' });
  await opener.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Bénéficiaires' });
  const rows = dialog.getByRole('listitem');
  const button = (text: string) => dialog.getByRole('button', { name: text, exact: true });
  await expect(rows).toHaveText([/^Maman\+226 70 12 34 56/, /^Zoé\+225 07 01 23 45 67/]);
  await button('Renommer Maman').press('Enter');
  await name(page).fill('Tantie');
  await name(page).press('Enter');
  await expect(rows).toHaveText([/^Tantie/, /^Zoé/]);
  await expect(button('Renommer Tantie')).toBeFocused();
  expect(await findViolations(page)).toEqual([]);

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
  await caller.end();
});
