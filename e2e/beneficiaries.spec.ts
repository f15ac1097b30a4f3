import type { Page } from '@playwright/test';
import { listBeneficiaries } from '#contract/beneficiaries.ts';
import { findViolations } from './accessibility.ts';
import { followRequests, untilAnswered } from './answers.ts';
import { desktopSize } from './browser.ts';
import { callAs } from './caller.ts';
import { expect, test } from './fixtures.ts';
import { enlarge, expectNoSidewaysScroll } from './layout.ts';
import type { Product } from './product.ts';
import { confirmOrder, drillDown, enterBy, toBundle } from './steps.ts';

const number = (page: Page) => page.getByLabel('Numéro du bénéficiaire');
const naming = (page: Page) => page.getByRole('button', { name: 'Nommer ce numéro', exact: true });
const name = (page: Page) => page.getByLabel('Nom du bénéficiaire');
const save = (page: Page) => page.getByRole('button', { name: 'Enregistrer' });
const known = (page: Page) => page.getByRole('list', { name: 'Numéros déjà utilisés' });
const line = (page: Page) => page.getByText(/^Bénéficiaire\s:/);
/** The people of this file, each with their own number. */
let last = 0;

async function openOrder(page: Page, product: Product, firstName: string) {
  last += 1;
  const phone = `7800${4000 + last + (test.info().parallelIndex + 1) * 100}`;
  const caller = await callAs(product, { firstName, lastName: 'Nomme', phone });
  return {
    caller,
    phone,
    open: async () => {
      await enterBy(page, product, caller.entrance);
      await drillDown(page, toBundle);
      await untilAnswered(page);
    },
  };
}

test('P7.16, a number gets a name in the order by touch on a phone, which chips, tickets and home then say', async ({
  browser,
  product,
}) => {
  const context = await browser.newContext({ hasTouch: true });
  const page = await context.newPage();
  followRequests(page);
  const { caller, open } = await openOrder(page, product, 'Nommée');
  await open();
  await expect(naming(page)).toHaveCount(0);
  await number(page).fill('70 12 34 56');
  await expect(line(page)).toHaveText(/Burkina Faso · \+226\s70\s12\s34\s56$/);
  await naming(page).tap();
  await expect(name(page)).toBeFocused();
  await name(page).fill('  ');
  await save(page).tap();
  await expect(name(page)).toBeFocused();
  await expect(name(page)).toHaveAccessibleDescription('Saisissez un nom.');
  await name(page).fill('Maman');
  await save(page).tap();
  await expect(line(page)).toHaveText(/:\sMaman · \+226\s70\s12\s34\s56$/);
  await expect(name(page)).toHaveCount(0);
  // Nothing was ordered by it, and the keyboard has its place.
  await expect(page.getByRole('button', { name: 'Renommer ce numéro' })).toBeFocused();
  await expect(page.getByRole('heading', { name: 'Récapitulatif de la commande' })).toBeVisible();
  await expect(known(page).getByRole('button', { name: /^Pour Maman 70 12 34 56$/ })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  expect(await caller.send('GET', listBeneficiaries.path)).toEqual([{ phone: '+22670123456', name: 'Maman' }]);
  expect(await findViolations(page)).toEqual([]);
  for (const large of [true, false]) {
    await enlarge(page, large);
    await expectNoSidewaysScroll(page);
  }

  await page.getByRole('button', { name: 'Renommer ce numéro' }).tap();
  await expect(name(page)).toHaveValue('Maman');
  await name(page).fill('Tantie');
  await name(page).press('Escape');
  await expect(page.getByRole('button', { name: 'Renommer ce numéro' })).toBeFocused();
  await expect(line(page)).toHaveText(/Maman/);

  await confirmOrder(page, { beneficiary: '70 12 34 56', total: /1.050\sFCFA/ });
  await page.getByRole('button', { name: 'Fermer' }).click();
  await expect(page.getByText(/Pour\sMaman · \+226 70 12 34 56$/)).toBeVisible();
  await page.getByRole('link', { name: /^Détails/ }).click();
  await expect(page.getByRole('definition').filter({ hasText: 'Maman · +226 70 12 34 56' })).toBeVisible();
  // Offline too.
  await page.getByRole('link', { name: 'Accueil' }).click();
  await context.setOffline(true);
  await page.getByRole('link', { name: 'Tickets' }).click();
  await expect(page.getByText(/Pour\sMaman · /)).toBeVisible();
  await caller.end();
  await context.close();
});

/** A phone's contacts, of which the person chooses the first that is left. */
async function fakeContacts(page: Page, chosen: ({ name?: string[]; tel?: string[] } | undefined | 'refused')[]) {
  await page.addInitScript((list) => {
    const left = [...list];
    Object.defineProperty(navigator, 'contacts', {
      value: {
        select: async (properties: string[], options: object) => {
          if (properties.join() !== 'name,tel' || JSON.stringify(options) !== '{"multiple":false}')
            throw new TypeError();
          const next = left.shift();
          if (next === 'refused') throw new DOMException('', 'InvalidStateError');
          return next ? [next] : [];
        },
      },
    });
  }, chosen);
}

test('P7.17, a contact of the phone gives its number, and its name to keep', async ({ page, product }) => {
  const { caller, open } = await openOrder(page, product, 'Contact');
  await fakeContacts(page, [
    { name: ['Papa Issa'], tel: ['+33 6 12 34 56 78', '25 30 00 00', '(+225) 07 01 23 45 67', '70 12 34 56'] },
    { name: ['Papa Issa'], tel: ['+2250701234567'] },
    undefined,
    { name: ['Cousin'], tel: ['+33 6 12 34 56 78'] },
    { name: ['Sans numéro'] },
    { name: [], tel: ['70 12 34 56'] },
    'refused',
  ]);
  await open();
  const choose = page.getByRole('button', { name: 'Choisir dans mes contacts' });
  await choose.click();
  await expect(number(page)).toHaveValue('07 01 23 45 67');
  await expect(line(page)).toHaveText(/Côte d'Ivoire · \+225\s07\s01\s23\s45\s67$/);
  await expect(name(page)).toHaveValue('Papa Issa');
  // No keyboard comes up over the order that may be sent as well.
  await expect(choose).toBeFocused();
  await save(page).click();
  await expect(line(page)).toHaveText(/Papa Issa · \+225\s07\s01\s23\s45\s67$/);
  // A known one is not asked for again.
  await choose.click();
  await expect(page.getByRole('button', { name: 'Renommer ce numéro' })).toBeVisible();
  await expect(name(page)).toHaveCount(0);
  // None was chosen.
  await choose.click();
  await expect(number(page)).toHaveValue('07 01 23 45 67');

  await choose.click();
  await expect(number(page)).toHaveAccessibleDescription(/^Ce pays n'est pas desservi/);
  await expect(name(page)).toHaveCount(0);
  await choose.click();
  await expect(number(page)).toHaveAccessibleDescription("Ce contact n'a pas de numéro.");
  await choose.click();
  await expect(number(page)).toHaveValue('70 12 34 56');
  await expect(naming(page)).toBeVisible();
  await choose.click();
  await expect(page.getByText("Vos contacts n'ont pas pu être ouverts.")).toBeVisible();
  await caller.end();
});

test('P11.12, named numbers are renamed and deleted in the settings by the keyboard on a desktop', async ({
  page,
  product,
}) => {
  await page.setViewportSize(desktopSize);
  const { caller } = await openOrder(page, product, 'Rangée');
  await caller.send('PUT', '/api/beneficiaries/+22670123456', { name: 'Maman' });
  await caller.send('PUT', '/api/beneficiaries/+2250701234567', { name: 'Zoé' });
  await enterBy(page, product, caller.entrance, '/settings');
  const opener = page.getByRole('button', { name: 'Bénéficiaires' });
  await opener.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Bénéficiaires' });
  const rows = dialog.getByRole('listitem');
  const button = (text: string) => dialog.getByRole('button', { name: text, exact: true });
  await expect(rows.first()).toBeVisible();
  await expect(rows).toHaveText([/^Maman\+226 70 12 34 56/, /^Zoé\+225 07 01 23 45 67/]);
  await button('Renommer Maman').press('Enter');
  await expect(name(page)).toBeFocused();
  // Escape gives up the name, and not the dialog.
  await name(page).press('Escape');
  await expect(dialog).toBeVisible();
  await expect(button('Renommer Maman')).toBeFocused();
  await button('Renommer Maman').press('Enter');
  await name(page).fill('Tantie');
  await name(page).press('Enter');
  await expect(rows).toHaveText([/^Tantie/, /^Zoé/]);
  await expect(button('Renommer Tantie')).toBeFocused();
  expect(await findViolations(page)).toEqual([]);
  await enlarge(page);
  await expectNoSidewaysScroll(page);
  await enlarge(page, false);

  await button('Supprimer Tantie').press('Enter');
  await button('Annuler').press('Enter');
  await expect(rows).toHaveCount(2);
  await expect(button('Supprimer Tantie')).toBeFocused();
  await button('Supprimer Tantie').press('Enter');
  await expect(rows.first()).toContainText('Vos demandes pour ce numéro restent, sans ce nom.');
  await page.context().setOffline(true);
  await button('Supprimer Tantie pour de bon').press('Enter');
  await expect(page.getByText(/^Pas de réponse du réseau/)).toBeVisible();
  await page.context().setOffline(false);
  await button('Supprimer Tantie pour de bon').press('Enter');
  await expect(rows).toHaveText([/^Zoé/]);
  await expect(dialog.getByRole('heading', { level: 3 })).toBeFocused();
  await button('Supprimer Zoé').press('Enter');
  await button('Supprimer Zoé pour de bon').press('Enter');
  await expect(dialog).toContainText('Aucun bénéficiaire');
  await expect(dialog.getByRole('link', { name: 'Explorer les services' })).toHaveAttribute('href', '/');
  expect(await caller.send('GET', listBeneficiaries.path)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(opener).toBeFocused();
  await caller.end();
});
