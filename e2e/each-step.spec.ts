import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { type Person, password } from './people.ts';
import { drillDown, enterCode, fillOrder, loseOneAnswer, sendSignUp, toBundle } from './steps.ts';

test.use({ serviceWorkers: 'allow' });

const noAnswer = 'Pas de réponse du réseau. Vérifiez votre connexion et réessayez.';
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** Chooses a service and fills in its order, without confirming it. */
async function prepareOrder(page: Page): Promise<void> {
  await drillDown(page, toBundle);
  await fillOrder(page, { beneficiary: '70 12 34 56', total: /^1.050\sFCFA$/ });
}

async function openSettings(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Paramètres' }).click();
  await expect(page.getByRole('heading', { name: 'Paramètres' })).toBeVisible();
}

async function countTickets(page: Page): Promise<number> {
  const { user } = await (await page.request.get(`${new URL(page.url()).origin}/api/auth/me`)).json();
  return (await (await page.request.get(`${new URL(page.url()).origin}/api/tickets/user/${user.id}`)).json()).length;
}

/** Tries once offline, with a message and an unchanged screen, and again online. */
async function tryWithoutLine(page: Page, name: string, stays: () => Promise<void>): Promise<void> {
  await page.context().setOffline(true);
  await press(page, name);
  await expect(page.getByRole('alert').filter({ hasText: noAnswer })).toBeVisible();
  await stays();
  await page.context().setOffline(false);
  await press(page, name);
}

/** The same with a lost answer after the server's work. */
async function tryWithLostAnswer(page: Page, url: string, name: string, stays: () => Promise<void>): Promise<void> {
  await loseOneAnswer(page, url);
  await press(page, name);
  await expect(page.getByRole('alert').filter({ hasText: noAnswer })).toBeVisible();
  await stays();
  await press(page, name);
}

test('the line cut at each step of the main job: told in French, nothing typed is lost, nothing done twice', async ({
  page,
  product,
  provoke,
}) => {
  // From the browser's periodic check of the service worker.
  provoke('An unknown error occurred when fetching the script.');
  const person: Person = { firstName: 'Balkissa', lastName: 'Traoré', phone: '70120001' };
  await page.goto(product.url);
  await expect(page.getByRole('tab', { name: 'Connexion' })).toBeVisible();
  await tryWithoutLine(page, "Continuer en tant qu'invité", async () => {});
  await expect(page.getByRole('heading', { name: 'Bonjour Invité' })).toBeVisible();
  await openSettings(page);
  await press(page, 'Quitter le mode invité');
  await expect(page.getByRole('tab', { name: 'Inscription' })).toBeVisible();

  // Its form is a file of its own.
  await page.getByRole('tab', { name: 'Inscription' }).click();
  await expect(page.getByLabel('Prénom')).toBeVisible();
  await page.context().setOffline(true);
  await sendSignUp(page, person);
  await expect(page.getByRole('alert').filter({ hasText: noAnswer })).toBeVisible();
  await expect(page.getByLabel('Prénom')).toHaveValue(person.firstName);
  await expect(page.getByLabel('Confirmer le mot de passe')).toHaveValue(password);
  await page.context().setOffline(false);
  await press(page, "S'inscrire");
  await expect(page.getByRole('heading', { name: 'Vérification par SMS' })).toBeVisible();

  const code = await product.readCode(`+226${person.phone}`);
  await expect(page.getByLabel('Chiffre 1')).toBeFocused();
  await page.context().setOffline(true);
  await page.keyboard.type(code);
  await expect(page.getByRole('alert').filter({ hasText: noAnswer })).toBeVisible();
  await expect(page.getByLabel('Chiffre 4')).toHaveValue(code.slice(-1));
  await page.context().setOffline(false);
  await press(page, 'Vérifier');
  await expect(page.getByRole('heading', { name: 'Bonjour Balkissa' })).toBeVisible();

  await prepareOrder(page);
  await tryWithoutLine(page, 'Confirmer la demande', async () => {
    await expect(page.getByLabel('Numéro du bénéficiaire')).toHaveValue('70 12 34 56');
    await expect(page.getByRole('radio', { name: 'Orange Money' })).toBeChecked();
  });
  await expect(page.getByRole('dialog', { name: 'Demande créée avec succès' })).toBeVisible();
  expect(await countTickets(page)).toBe(1);
  await press(page, 'Fermer');

  await openSettings(page);
  await page.context().setOffline(true);
  await press(page, 'Se déconnecter');
  await expect(page.getByRole('tab', { name: 'Connexion' })).toBeVisible();
  await page.context().setOffline(false);
  await page.getByLabel('Téléphone ou e-mail').fill(person.phone);
  await page.getByLabel('Mot de passe', { exact: true }).fill(password);
  await tryWithoutLine(page, 'Se connecter', async () => {
    await expect(page.getByLabel('Mot de passe', { exact: true })).toHaveValue(password);
  });
  await expect(page.getByRole('heading', { name: 'Bonjour Balkissa' })).toBeVisible();
});

test('the answer of each write lost: told in French, nothing typed is lost, nothing done twice', async ({
  page,
  product,
  provoke,
}) => {
  provoke('409 /api/auth/verify-otp', '400 /api/auth/reset-password', '401 /api/');
  const person: Person = { firstName: 'Nafissatou', lastName: 'Diallo', phone: '70120002' };
  await page.goto(product.url);
  await expect(page.getByRole('tab', { name: 'Connexion' })).toBeVisible();
  await tryWithLostAnswer(page, '**/api/auth/guest', "Continuer en tant qu'invité", async () => {});
  await expect(page.getByRole('heading', { name: 'Bonjour Invité' })).toBeVisible();
  await openSettings(page);
  await loseOneAnswer(page, '**/api/auth/signout');
  await press(page, 'Quitter le mode invité');
  await expect(page.getByRole('tab', { name: 'Inscription' })).toBeVisible();

  await loseOneAnswer(page, '**/api/auth/signup');
  await sendSignUp(page, person);
  await expect(page.getByRole('alert').filter({ hasText: noAnswer })).toBeVisible();
  await expect(page.getByLabel('Prénom')).toHaveValue(person.firstName);
  await press(page, "S'inscrire");
  await expect(page.getByRole('heading', { name: 'Vérification par SMS' })).toBeVisible();
  await enterCode(page, product, person);

  await prepareOrder(page);
  await tryWithLostAnswer(page, '**/api/tickets', 'Confirmer la demande', async () => {
    await expect(page.getByLabel('Numéro du bénéficiaire')).toHaveValue('70 12 34 56');
  });
  await expect(page.getByRole('dialog', { name: 'Demande créée avec succès' })).toBeVisible();
  expect(await countTickets(page)).toBe(1);
  await press(page, 'Fermer');

  await openSettings(page);
  await press(page, 'Se déconnecter');
  await expect(page.getByRole('tab', { name: 'Connexion' })).toBeVisible();
  await page.getByLabel('Téléphone ou e-mail').fill(person.phone);
  await page.getByRole('link', { name: 'Mot de passe oublié ?' }).click();
  await tryWithLostAnswer(page, '**/api/auth/forgot-password', 'Envoyer le code', async () => {
    await expect(page.getByLabel('Numéro de téléphone')).toHaveValue(person.phone);
  });
  await expect(page.getByLabel('Chiffre 1')).toBeFocused();
  const code = await product.readCode(`+226${person.phone}`);
  await loseOneAnswer(page, '**/api/auth/verify-reset-otp');
  await page.keyboard.type(code);
  await expect(page.getByRole('alert').filter({ hasText: noAnswer })).toBeVisible();
  await expect(page.getByLabel('Chiffre 4')).toHaveValue(code.slice(-1));
  await press(page, 'Vérifier');
  await expect(page.getByRole('heading', { name: 'Nouveau mot de passe' })).toBeVisible();
  await page.getByLabel('Nouveau mot de passe').fill('autre-secret');
  await page.getByLabel('Confirmer le mot de passe').fill('autre-secret');
  // The password was changed and its token spent: the person signs in with it.
  await tryWithLostAnswer(page, '**/api/auth/reset-password', 'Enregistrer', async () => {
    await expect(page.getByLabel('Nouveau mot de passe')).toHaveValue('autre-secret');
  });
  await expect(page.getByText(/^Connectez-vous avec le nouveau mot de passe/)).toBeVisible();
  await page.getByLabel('Mot de passe', { exact: true }).fill('autre-secret');
  await press(page, 'Se connecter');
  await expect(page.getByRole('heading', { name: 'Bonjour Nafissatou' })).toBeVisible();
});
