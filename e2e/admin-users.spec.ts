import { type Locator, type Page, request } from '@playwright/test';
import { desktopSize, phoneSize } from './browser.ts';
import { callAs, fileTickets, uniqueName } from './caller.ts';
import { expect, test } from './fixtures.ts';
import { expectToast } from './messages.ts';
import { makeAccount, type Person, password } from './people.ts';
import type { Product } from './product.ts';
import { enterAs, enterAsAdministrator } from './steps.ts';

test.use({ viewport: desktopSize });

/** Tries a password; returns the status. */
async function trySignIn(product: Product, person: Person, secret: string): Promise<number> {
  const stranger = await request.newContext({ baseURL: product.url });
  const data = { phoneOrEmail: `+226${person.phone}`, password: secret };
  const answer = await stranger.post('/api/auth/signin', { data });
  await stranger.dispose();
  return answer.status();
}

/** A person with a unique family name. */
const personOf = (firstName: string, phone: string): Person => ({ firstName, lastName: uniqueName('Sana'), phone });
const fullName = ({ firstName, lastName }: Person) => `${firstName} ${lastName}`;

/** The row of a named person, or their card on a phone. */
const rowOf = (page: Page, person: Person): Locator =>
  page
    .getByRole('row')
    .or(page.getByRole('listitem'))
    .filter({ has: page.getByRole('link', { name: fullName(person), exact: true }) });

async function choose(page: Page, person: Person, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions pour ${fullName(person)}` }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

/** Opens the users tab as an administrator, searched by a person's family name; returns their row. */
async function enterListOf(page: Page, product: Product, person: Person): Promise<Locator> {
  const search = new URLSearchParams({ recherche: person.lastName });
  await enterAsAdministrator(page, product, `/admin/users?${search}`);
  await expect(rowOf(page, person)).toBeVisible();
  return rowOf(page, person);
}

test('searches by name, phone or e-mail, whatever the accents, with a count', async ({ page, product }) => {
  const family = uniqueName('Ouédraogo');
  const code = family.slice(-8).toUpperCase();
  const email = `zenabou.${family.slice(-8)}@exemple.bf`;
  const zenabou = { firstName: 'Zénabou', lastName: family, phone: '70320100', email };
  await makeAccount(product, zenabou);
  await makeAccount(product, { firstName: 'Pawel', lastName: family, phone: '70320110' });
  await enterAsAdministrator(page, product, '/admin/users');
  const count = page.getByRole('status').filter({ hasText: /utilisateurs?$/ });
  const search = page.getByRole('searchbox', { name: 'Nom, téléphone ou e-mail' });
  await search.fill(family);
  await expect(count).toHaveText('2 utilisateurs');
  for (const words of [`zenabou ouedraogo ${code}`, '70 32 01 00', `ZENABOU.${code}@`]) {
    await search.fill(words);
    await expect(count).toHaveText('1 utilisateur');
    for (const text of ['+226 70 32 01 00', email, 'Burkina Faso'])
      await expect(rowOf(page, zenabou)).toContainText(text);
  }
  await page.getByLabel('Pays').selectOption('+223');
  await expect(page.getByText('Aucun utilisateur trouvé')).toBeVisible();
  await page.getByRole('button', { name: /^Retirer « .*Mali »$/ }).click();
  await expect(count).toHaveText('1 utilisateur');
  await page.reload();
  await expect(count).toHaveText('1 utilisateur');
  await search.fill('personne de ce nom');
  await expect(page.getByText('Aucun utilisateur trouvé')).toBeVisible();
  await page.getByRole('button', { name: 'Effacer les filtres' }).click();
  await expect(search).toHaveValue('');

  // Guests are shown where they are asked for.
  const guest = await request.newContext({ baseURL: product.url });
  expect((await guest.post('/api/auth/guest')).ok()).toBe(true);
  await guest.dispose();
  const rows = page.locator('[data-row]');
  await page.getByLabel('Statut').selectOption('verified');
  await expect(page).toHaveURL(/statut=verified/);
  await expect(rows.filter({ hasText: 'Vérifié' }).first()).toBeVisible();
  await expect(rows.filter({ hasText: 'Invité' })).toHaveCount(0);
  await page.getByLabel('Statut').selectOption('guest');
  await expect(rows.filter({ hasText: /^Invité n°/ }).first()).toBeVisible();
});

test('on a phone: a password set anew, where too short is refused; a user deactivated, signed out and kept out, and reactivated', async ({
  page,
  browser,
  product,
  provoke,
}) => {
  provoke('401 /api/');
  const person = personOf('Pause', '70320160');
  const own = await browser.newPage();
  await enterAs(own, product, person);
  await page.setViewportSize(phoneSize);
  const row = await enterListOf(page, product, person);
  await choose(page, person, 'Réinitialiser le mot de passe');
  const dialog = page.getByRole('dialog', { name: 'Réinitialiser le mot de passe' });
  const field = dialog.getByLabel('Nouveau mot de passe');
  await field.fill('12345');
  await dialog.getByRole('button', { name: 'Réinitialiser' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Mot de passe invalide');
  await expect(dialog.getByRole('alert')).toContainText('Le mot de passe doit contenir au moins 6 caractères.');
  await expect(field).toBeFocused();
  await field.fill('nouveau-secret');
  await dialog.getByRole('button', { name: 'Réinitialiser' }).click();
  const told = `${fullName(person)} se connectera avec le nouveau mot de passe.`;
  await expectToast(page, 'Mot de passe réinitialisé', told);
  await own.reload();
  await expect(own.getByRole('tab', { name: 'Connexion' })).toBeVisible();
  await own.close();
  expect(await trySignIn(product, person, password)).toBe(401);
  expect(await trySignIn(product, person, 'nouveau-secret')).toBe(200);

  await expect(row.getByText('Vérifié', { exact: true })).toBeVisible();
  await choose(page, person, 'Désactiver');
  const question = page.getByRole('dialog', { name: `Désactiver ${fullName(person)} ?` });
  await expect(question).toContainText('Cette personne sera déconnectée de tous ses appareils.');
  await question.getByRole('button', { name: 'Désactiver' }).click();
  await expectToast(page, 'Utilisateur désactivé', `Le compte de ${fullName(person)} est temporairement désactivé.`);
  for (const badge of ['Non vérifié', 'Désactivé']) await expect(row.getByText(badge, { exact: true })).toBeVisible();
  expect(await trySignIn(product, person, 'nouveau-secret')).toBe(403);
  await choose(page, person, 'Activer');
  await expectToast(page, 'Utilisateur réactivé', `${fullName(person)} peut de nouveau se connecter.`);
  await expect(row.getByText('Vérifié', { exact: true })).toBeVisible();
  expect(await trySignIn(product, person, 'nouveau-secret')).toBe(200);
});

test('a user whole, and the way to their tickets; deletion says what follows and leaves the tickets to « Utilisateur inconnu »', async ({
  page,
  product,
  provoke,
}) => {
  provoke('404 /api/admin/users/');
  const person = { ...personOf('Fiche', '70320197'), email: `${uniqueName('fiche').replace(' ', '.')}@exemple.bf` };
  const user = await callAs(product, person);
  const [ticket = 0] = await fileTickets(user, 2);
  const row = await enterListOf(page, product, person);
  const list = page.url();
  await row.getByRole('link', { name: fullName(person) }).click();
  const shown = page.getByRole('dialog', { name: fullName(person), exact: true });
  for (const text of ['Vérifié', '+226 70 32 01 97', person.email, 'Burkina Faso'])
    await expect(shown.locator('dl')).toContainText(text);
  await shown.getByRole('link', { name: 'Voir ses 2 tickets' }).click();
  await expect(page).toHaveURL(`${product.url}/admin/tickets?utilisateur=${user.userId}`);
  await page.goBack();
  await expect(page).toHaveURL(`${list}&utilisateur=${user.userId}`);

  const dialog = page.getByRole('dialog', { name: `Supprimer ${fullName(person)} ?` });
  await shown.getByRole('button', { name: 'Supprimer définitivement' }).click();
  await expect(dialog).toContainText("Le compte +226 70 32 01 97 sera supprimé définitivement. C'est irréversible.");
  await expect(dialog).toContainText("Ses tickets restent, au nom d'« Utilisateur inconnu ».");
  await dialog.getByRole('button', { name: 'Supprimer définitivement' }).click();
  const told = `Le compte de ${fullName(person)} est définitivement supprimé. C'est irréversible.`;
  await expectToast(page, 'Utilisateur supprimé', told);
  await expect(page).toHaveURL(list);
  await expect(page.getByText('Aucun utilisateur trouvé')).toBeVisible();
  expect(await trySignIn(product, person, password)).toBe(401);
  await page.goto(`${product.url}/admin/tickets?recherche=${ticket}`);
  const opener = page.getByRole('button', { name: `Ouvrir le ticket n° ${ticket}`, exact: true });
  await expect(page.getByRole('row').filter({ has: opener })).toContainText('Utilisateur inconnu');
  await page.goto(`${product.url}/admin/users?utilisateur=${user.userId}`);
  await expect(page.getByRole('dialog', { name: 'Utilisateur introuvable' })).toBeVisible();
});
