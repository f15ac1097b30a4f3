import type { Page } from '@playwright/test';
import { untilAnswered } from './answers.ts';
import { installClock } from './clock.ts';
import { expect, test } from './fixtures.ts';
import { makeAccount, password } from './people.ts';
import type { Product } from './product.ts';
import { drillDown, enterAs, stored, toBundle } from './steps.ts';

/** The data that a shared phone keeps of each person, and for how long. */

const personOf = (firstName: string, phone: string) => ({ firstName, lastName: 'Partage', phone });

async function signInHere(page: Page, phone: string): Promise<void> {
  await page.getByLabel('Téléphone ou e-mail').fill(phone);
  await page.getByLabel('Mot de passe', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Se connecter' }).click();
}

const isSignedIn = async (page: Page, { url }: Product) => (await page.request.get(`${url}/api/auth/me`)).ok();

test('the order of whose session ended is seen by nobody else, and gone once another person is in', async ({
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

test('without a line signing out ends all that is here at once, and the session when the line is back', async ({
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
