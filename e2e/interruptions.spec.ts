import type { Page } from '@playwright/test';
import { untilAnswered } from './answers.ts';
import { expect, test } from './fixtures.ts';
import { password } from './people.ts';
import { choosePayment, drillDown, enterAs, enterAsGuest } from './steps.ts';

const toTransfer = ["Transfert d'argent", 'Orange Money', 'Envoi national'];

test('a screen that cannot be drawn says so and never leaves a blank page', async ({ page, product, provoke }) => {
  provoke('console: TypeError');
  await enterAsGuest(page, product);
  // An answer outside the contract: an intermediary's page, or a server of another version.
  await page.route('**/api/services?*', (route) => route.fulfill({ json: { no: 'list' } }));
  await page.getByRole('button', { name: /Banque et épargne/ }).click();
  await expect(page.getByText("Cette page n'a pas pu être affichée.")).toBeVisible();
  await page.goBack();
  await page.unroute('**/api/services?*');
  await page.getByRole('button', { name: 'Réessayer' }).click();
  await expect(page.getByRole('heading', { name: 'Bonjour Invité' })).toBeVisible();
});

/** Ends the session on the server, as time or an administrator would; the app does not know yet. */
async function endSession(page: Page) {
  // A pending request of the screen would reveal the end before the next press.
  await untilAnswered(page);
  await page.context().clearCookies();
}

test('a session that ended while one ordered: Connexion requise at the first press, and back to the same order', async ({
  page,
  product,
  provoke,
}) => {
  provoke('401 /api/');
  const person = { firstName: 'Clarisse', lastName: 'Yaméogo', phone: '74000002' };
  await enterAs(page, product, person);
  await drillDown(page, toTransfer);
  await page.getByLabel('Numéro du bénéficiaire').fill('71 23 45 67');
  await page.getByLabel('Entrer la somme').fill('5 000');
  await choosePayment(page, 'Wave');
  await expect(page.getByTestId('total')).toHaveText(/FCFA$/);
  const total = (await page.getByTestId('total').textContent()) ?? '';
  await endSession(page);
  await page.getByRole('button', { name: 'Confirmer la demande' }).click();
  await expect(page.getByText('Connexion requise')).toBeVisible();
  await expect(page).toHaveURL(`${product.url}/auth`);
  await page.getByLabel('Téléphone ou e-mail').fill(person.phone);
  await page.getByLabel('Mot de passe', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Se connecter' }).click();
  await expect(page.getByLabel('Numéro du bénéficiaire')).toHaveValue('71 23 45 67');
  await expect(page.getByLabel('Entrer la somme')).toHaveValue('5 000');
  await expect(page.getByTestId('total')).toHaveText(total);
  await page.getByRole('button', { name: 'Confirmer la demande' }).click();
  await expect(page.getByRole('dialog', { name: 'Demande créée avec succès' })).toBeVisible();
});
