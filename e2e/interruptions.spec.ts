import type { Locator, Page } from '@playwright/test';
import { untilAnswered } from './answers.ts';
import { expect, test } from './fixtures.ts';
import { password } from './people.ts';
import type { Product } from './product.ts';
import { choosePayment, drillDown, enterAs, enterAsGuest, signInAsAdministrator } from './steps.ts';

test.use({ serviceWorkers: 'allow' });

const userScreens = '**/assets/user-screens-*.js';
const toTransfer = ["Transfert d'argent", 'Orange Money', 'Envoi national'];

test('a part that fails for good is told, and comes when one asks again', async ({ page, product }) => {
  await page.route(userScreens, (route) => route.abort());
  await page.goto(product.url);
  await page.getByRole('button', { name: "Continuer en tant qu'invité" }).click();
  await expect(page.getByText("Cette page n'a pas pu être chargée.")).toBeVisible();
  await page.unroute(userScreens);
  await page.getByRole('button', { name: 'Réessayer' }).click();
  await expect(page.getByRole('heading', { name: 'Bonjour Invité' })).toBeVisible();
});

test.describe('where no service worker keeps the files', () => {
  test.use({ serviceWorkers: 'block' });
});

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

async function _boxOf(what: Locator) {
  const box = await what.boundingBox();
  if (!box) throw new Error(`${what} is not drawn`);
  return box;
}

/** Ends the session on the server, as time or an administrator would; the app does not know yet. */
async function endSession(page: Page) {
  // A pending request of the screen would reveal the end before the next press.
  await untilAnswered(page);
  await page.context().clearCookies();
}

/** Ends it while the app is closed, and opens the app there again. */
async function _endSessionAndReturn(page: Page) {
  const address = page.url();
  await untilAnswered(page);
  await page.goto('about:blank');
  await page.context().clearCookies();
  await page.goto(address);
}

async function _signInAgain(page: Page, phone: string) {
  await expect(page.getByText('Session expirée')).toBeVisible();
  await expect(page.getByText('Veuillez vous reconnecter.')).toBeVisible();
  await page.getByLabel('Téléphone ou e-mail').fill(phone);
  await page.getByLabel('Mot de passe', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Se connecter' }).click();
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

/** Changes a service as an administrator in another browser. */
async function _changeService(page: Page, product: Product, name: string, change: object) {
  const admin = await page.context().browser()?.newPage();
  if (!admin) throw new Error('no browser');
  await signInAsAdministrator(admin, product);
  const status = await admin.evaluate(
    async ([serviceName, data]) => {
      const services = (await (await fetch('/api/admin/services')).json()) as { id: number; name: string }[];
      const form = new FormData();
      form.set('data', JSON.stringify(data));
      const id = services.find((service) => service.name === serviceName)?.id;
      return (await fetch(`/api/admin/services/${id}`, { method: 'PUT', body: form })).status;
    },
    [name, change] as const,
  );
  expect(status).toBe(200);
  await admin.close();
}
