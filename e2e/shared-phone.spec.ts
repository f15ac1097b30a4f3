import type { Page } from '@playwright/test';
import { untilAnswered } from './answers.ts';
import { callAsAdministrator } from './caller.ts';
import { installClock, stopClock } from './clock.ts';
import { addPage, openStored } from './content-tab.ts';
import { expect, test } from './fixtures.ts';
import { makeAccount, password } from './people.ts';
import type { Product } from './product.ts';
import { drillDown, enterAs, enterAsAdministrator, stored, toBundle } from './steps.ts';

/** The data that a shared phone keeps of each person, and for how long. */

const personOf = (firstName: string, phone: string) => ({ firstName, lastName: 'Partage', phone });

async function signInHere(page: Page, phone: string): Promise<void> {
  await page.getByLabel('Téléphone ou e-mail').fill(phone);
  await page.getByLabel('Mot de passe', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Se connecter' }).click();
}

const isSignedIn = async (page: Page, { url }: Product) => (await page.request.get(`${url}/api/auth/me`)).ok();

test('the order of whose session ended is seen by nobody else, and gone once another person is in @slow', async ({
  page,
  product,
  provoke,
}) => {
  provoke('401 /api/');
  const other = personOf('Rokia', '79100002');
  await makeAccount(product, other);
  await enterAs(page, product, personOf('Oumou', '79100001'));
  await drillDown(page, toBundle);
  await page.getByLabel('Numéro du bénéficiaire').fill('71 23 45 67');
  // A call of this screen would end the session first.
  await untilAnswered(page);
  await page.goto('about:blank');
  await page.context().clearCookies();
  await page.goto(`${product.url}/summary`);
  await expect(page.getByText('Session expirée')).toBeVisible();
  // The phone's next user.
  await page.goto(`${product.url}/summary`);
  await expect(page.getByRole('tab', { name: 'Connexion' })).toBeVisible();
  await expect(page.getByText('Forfait internet 7 jours')).toHaveCount(0);
  await signInHere(page, other.phone);
  await expect(page.getByRole('heading', { name: 'Bonjour Rokia' })).toBeVisible();
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('71 23 45 67');
});

test('without a line signing out ends all that is here at once, and the session when the line is back @slow', async ({
  page,
  product,
  provoke,
}) => {
  provoke('401 /api/');
  await installClock(page);
  await enterAs(page, product, personOf('Kadidia', '79100003'));
  await drillDown(page, toBundle);
  await page.getByRole('button', { name: 'Retour' }).click();
  await page.goto(`${product.url}/settings`);
  const button = page.getByRole('button', { name: 'Se déconnecter' });
  await expect(button).toBeVisible();
  await page.context().setOffline(true);
  await button.click();
  await expect(page.getByText('Rien ne reste sur cet appareil ; la session sera fermée')).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Connexion' })).toBeVisible();
  expect(await stored(page, 'guichet_user')).toBeNull();
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  for (const of of ['guichet_kept:', 'guichet_order', 'Kadidia']) expect(kept).not.toContain(of);
  expect(await isSignedIn(page, product), 'on the server, which could not be told').toBe(true);
  await page.context().setOffline(false);
  await page.clock.runFor(10_000);
  await expect.poll(() => isSignedIn(page, product)).toBe(false);
  await expect.poll(() => stored(page, 'guichet_leaving')).toBeNull();
});

test('who comes in after a sign-out without a line stays in @slow', async ({ page, product, provoke }) => {
  provoke('401 /api/');
  const other = personOf('Rasmané', '79100005');
  await makeAccount(product, other);
  await enterAs(page, product, personOf('Kassoum', '79100004'));
  await page.getByRole('link', { name: 'Paramètres' }).click();
  await page.route('**/api/auth/signout', (route) => route.abort());
  await page.getByRole('button', { name: 'Se déconnecter' }).click();
  // The line is back: the answer to the sign-in is the first that this browser gets.
  await page.unroute('**/api/auth/signout');
  await signInHere(page, other.phone);
  await expect(page.getByRole('heading', { name: 'Bonjour Rasmané' })).toBeVisible();
  await untilAnswered(page);
  expect(await isSignedIn(page, product)).toBe(true);
  await page.reload();
  await expect.poll(() => stored(page, 'guichet_leaving')).toBeNull();
  expect(await isSignedIn(page, product)).toBe(true);
});

test('signing out leaves nothing of what an administrator wrote @slow', async ({ page, product }) => {
  const admin = await callAsAdministrator(product);
  const { title } = await addPage(admin, 'Brouillon');
  await enterAsAdministrator(page, product, '/admin/content');
  const editor = await openStored(page, title);
  await editor.content.fill("Ce qui n'est pas encore public.");
  const drafts = () => page.evaluate(() => JSON.stringify(sessionStorage));
  await expect.poll(drafts).toContain('pas encore public');
  page.once('dialog', (dialog) => dialog.accept());
  await page.goto(`${product.url}/admin`);
  expect(await drafts()).toContain('pas encore public');
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: 'Se déconnecter' }).click();
  await expect(page.getByRole('tab', { name: 'Connexion' })).toBeVisible();
  expect(await drafts()).not.toContain('pas encore public');
  await admin.end();
});

const token = 'x'.repeat(43);
const keepToken = (page: Page) => page.evaluate((kept) => localStorage.setItem('resetPasswordToken', kept), token);
const readToken = (page: Page) => stored(page, 'resetPasswordToken');

test('the token of a new password outlasts a reload, and goes when its screens are left @slow', async ({
  page,
  product,
}) => {
  await page.goto(product.url);
  await keepToken(page);
  const title = page.getByRole('heading', { name: 'Nouveau mot de passe' });
  await page.goto(`${product.url}/reset-password`);
  await expect(title).toBeVisible();
  await page.reload();
  await expect(title).toBeVisible();
  expect(await readToken(page)).toBe(token);
  await page.getByRole('button', { name: 'Retour' }).click();
  await expect(page.getByRole('heading', { name: 'Mot de passe oublié' })).toBeVisible();
  expect(await readToken(page)).toBe(token);
  await page.getByRole('button', { name: 'Retour' }).click();
  await expect(page.getByRole('tab', { name: 'Connexion' })).toBeVisible();
  expect(await readToken(page)).toBeNull();
});

test('a token that is too old goes by itself: while its screen stands, and at the next start @slow', async ({
  page,
  product,
}) => {
  await installClock(page);
  await page.goto(`${product.url}/forgot-password`);
  await keepToken(page);
  await page.goto(`${product.url}/reset-password`);
  await expect(page.getByRole('heading', { name: 'Nouveau mot de passe' })).toBeVisible();
  await stopClock(page);
  // Its lifetime began when this screen found it.
  const age = (await page.evaluate(() => Date.now())) - Number(await stored(page, 'guichet_reset_at'));
  await page.clock.runFor(599_000 - age);
  expect(await readToken(page)).toBe(token);
  await page.clock.runFor(1_000);
  expect(await readToken(page)).toBeNull();
  await page.clock.resume();

  // Another person, whose screen was closed with the browser.
  await page.evaluate(
    ([kept, at]) => {
      localStorage.setItem('resetPasswordToken', String(kept));
      localStorage.setItem('guichet_reset_at', String(at));
    },
    [token, (await page.evaluate(() => Date.now())) - 601_000],
  );
  await page.goto(product.url);
  await expect.poll(() => readToken(page)).toBeNull();
});
