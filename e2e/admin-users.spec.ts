import { desktopSize, phoneSize } from './browser.ts';
import { callAs, callAsAdministrator, fileTickets, uniqueName } from './caller.ts';
import { expect, test } from './fixtures.ts';
import { expectFailure } from './messages.ts';
import { type Person, password } from './people.ts';
import { enterAsAdministrator, openTab, signIn } from './steps.ts';
import {
  choose,
  enterListOf,
  expectToast,
  fullName,
  openAs,
  personOf,
  rowOf,
  searchBox,
  signUpOnly,
  trySignIn,
} from './users-tab.ts';

test.use({ viewport: desktopSize });

test('searches by name, phone or e-mail, whatever the accents, with a count', async ({ page, product }) => {
  const family = uniqueName('Ouédraogo');
  const zenabou = { firstName: 'Zénabou', lastName: family, phone: '70320100' };
  const email = `zenabou.${family.slice(-8)}@exemple.bf`;
  const id = await signUpOnly(product, { ...zenabou, email } as Person);
  const pawel = { firstName: 'Pawel', lastName: family, phone: '70320110' };
  await signUpOnly(product, pawel);
  const admin = await callAsAdministrator(product);
  await enterAsAdministrator(page, product, '/admin/users');
  const everybody = (await admin.send('GET', '/api/admin/users?limit=1000')) as object[];
  const count = page.getByRole('status').filter({ hasText: /utilisateurs?$/ });
  await expect(count).toHaveText(`${everybody.length} utilisateurs`);
  const code = family.slice(-8).toUpperCase();
  for (const words of [`zenabou ouedraogo ${code}`, '70 32 01 00', `ZENABOU.${code}@`]) {
    await searchBox(page).fill(family);
    await expect(count).toHaveText('2 utilisateurs');
    await expect(rowOf(page, fullName(pawel))).toBeVisible();
    await searchBox(page).fill(words);
    await expect(count).toHaveText('1 utilisateur');
    const row = rowOf(page, fullName(zenabou));
    await expect(row).toContainText('+226 70 32 01 00');
    await expect(row).toContainText(email);
    await expect(row).toContainText('Burkina Faso');
    await expect(rowOf(page, fullName(pawel))).toBeHidden();
    await expect(page).toHaveURL(/recherche=/);
  }
  await page.reload();
  await expect(count).toHaveText('1 utilisateur');
  await expect(rowOf(page, fullName(zenabou)).getByRole('link')).toHaveAttribute(
    'href',
    new RegExp(`utilisateur=${id}$`),
  );
  await searchBox(page).fill('personne de ce nom');
  await expect(page.getByText('Aucun utilisateur trouvé')).toBeVisible();
  await expect(count).toHaveText('0 utilisateur');
});

test('a password set anew: too short is refused in a toast, a good one works and the old one and its sessions are dead', async ({
  page,
  browser,
  product,
  provoke,
}) => {
  provoke('401 /api/');
  const person = personOf('Oublie', '70320150');
  const own = await openAs(browser, product, person);
  await page.setViewportSize(phoneSize);
  await enterListOf(page, product, person);
  const calls: string[] = [];
  page.on('request', (sent) => sent.method() === 'PATCH' && calls.push(sent.url()));
  await choose(page, fullName(person), 'Réinitialiser le mot de passe');
  const dialog = page.getByRole('dialog', { name: 'Réinitialiser le mot de passe' });
  await expect(dialog).toContainText(fullName(person));
  const field = dialog.getByLabel('Nouveau mot de passe');
  await field.fill('12345');
  await dialog.getByRole('button', { name: 'Réinitialiser' }).click();
  const refusal = dialog.getByRole('alert');
  await expect(refusal).toContainText('Mot de passe invalide');
  await expect(refusal).toContainText('Le mot de passe doit contenir au moins 6 caractères.');
  await expect(field).toBeFocused();
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  expect(calls).toEqual([]);
  await field.fill('nouveau-secret');
  await dialog.getByRole('button', { name: 'Réinitialiser' }).click();
  const told = `${fullName(person)} se connectera avec le nouveau mot de passe.`;
  await expectToast(page, 'Mot de passe réinitialisé', told);
  await expect(dialog).toBeHidden();
  expect(calls).toHaveLength(1);
  await own.reload();
  await expect(own.getByRole('tab', { name: 'Connexion' })).toBeVisible();
  expect(await trySignIn(product, person, password)).toBe(401);
  await signIn(own, product, person.phone, 'nouveau-secret', `Bonjour ${person.firstName}`);
  await own.close();
});

test('deactivated, a user is signed out and kept out; reactivated, they come back', async ({
  page,
  browser,
  product,
  provoke,
}) => {
  provoke('401 /api/', '403 /api/auth/signin');
  const person = personOf('Pause', '70320160');
  const own = await openAs(browser, product, person);
  await own.getByRole('link', { name: 'Tickets' }).click();
  await expect(own.getByRole('heading', { name: 'Mes Tickets' })).toBeVisible();
  await page.setViewportSize(phoneSize);
  const row = await enterListOf(page, product, person);
  await expect(row.getByText('Vérifié', { exact: true })).toBeVisible();
  await choose(page, fullName(person), 'Désactiver');
  const dialog = page.getByRole('dialog', { name: `Désactiver ${fullName(person)} ?` });
  await expect(dialog).toContainText('Cette personne sera déconnectée de tous ses appareils.');
  await dialog.getByRole('button', { name: 'Désactiver' }).click();
  const closed = `Le compte de ${fullName(person)} est temporairement désactivé.`;
  await expectToast(page, 'Utilisateur désactivé', closed);
  await expect(row.getByText('Non vérifié', { exact: true })).toBeVisible();
  await own.reload();
  await expect(own.getByRole('tab', { name: 'Connexion' })).toBeVisible();
  await own.getByLabel('Téléphone ou e-mail').fill(person.phone);
  await own.getByLabel('Mot de passe', { exact: true }).fill(password);
  await own.getByRole('button', { name: 'Se connecter' }).click();
  await expectFailure(own, 'Erreur de connexion', 'Compte désactivé. Contactez le support.');

  await page.setViewportSize(desktopSize);
  await choose(page, fullName(person), 'Activer');
  await expectToast(page, 'Utilisateur réactivé', `${fullName(person)} peut de nouveau se connecter.`);
  await expect(row.getByText('Vérifié', { exact: true })).toBeVisible();
  // The screen where their session ended.
  await signIn(own, product, person.phone, password, 'Mes Tickets');
  await own.close();
});

test('deletion says what follows from it, can be given up, and leaves the tickets to « Utilisateur inconnu »', async ({
  page,
  product,
}) => {
  const person = personOf('Parti', '70320170');
  const [ticket = 0] = await fileTickets(await callAs(product, person), 2);
  await page.setViewportSize(phoneSize);
  const row = await enterListOf(page, product, person);
  const dialog = page.getByRole('dialog', { name: `Supprimer ${fullName(person)} ?` });
  await choose(page, fullName(person), 'Supprimer définitivement');
  await expect(dialog).toContainText("Le compte +226 70 32 01 70 sera supprimé définitivement. C'est irréversible.");
  await expect(dialog).toContainText("Ses 2 tickets restent, au nom d'« Utilisateur inconnu ».");
  await dialog.getByRole('button', { name: 'Annuler' }).click();
  await expect(dialog).toBeHidden();
  await page.setViewportSize(desktopSize);
  await choose(page, fullName(person), 'Supprimer définitivement');
  await dialog.getByRole('button', { name: 'Supprimer définitivement' }).click();
  const told = `Le compte de ${fullName(person)} est définitivement supprimé. C'est irréversible.`;
  await expectToast(page, 'Utilisateur supprimé', told);
  await expect(row).toBeHidden();
  await expect(page.getByText('0 utilisateur', { exact: true })).toBeVisible();
  expect(await trySignIn(product, person, password)).toBe(401);
  await openTab(page, 'Tickets');
  await page.getByLabel('Rechercher un ticket ou un service').fill(String(ticket));
  const opener = page.getByRole('button', { name: `Ouvrir le ticket n° ${ticket}`, exact: true });
  await expect(page.getByRole('row').filter({ has: opener })).toContainText('Utilisateur inconnu');
});

test("a user's page: who they are, the way to their tickets, what can be done, and back to the list", async ({
  page,
  product,
  provoke,
}) => {
  provoke('404 /api/admin/users/');
  const person = { ...personOf('Fiche', '70320197'), email: `${uniqueName('fiche').replace(' ', '.')}@exemple.bf` };
  const user = await callAs(product, person);
  await fileTickets(user, 2);
  await enterListOf(page, product, person);
  const list = page.url();
  await choose(page, fullName(person), 'Voir le profil');
  await expect(page.getByRole('heading', { level: 1, name: fullName(person) })).toBeVisible();
  await expect(page).toHaveURL(`${list}&utilisateur=${user.userId}`);
  const fact = (name: string) =>
    page
      .getByRole('main')
      .locator('div', { has: page.locator('dt', { hasText: name }) })
      .last();
  await expect(fact('Statut')).toContainText('Vérifié');
  await expect(fact('Téléphone')).toContainText('+226 70 32 01 97');
  await expect(fact('E-mail')).toContainText(person.email);
  await expect(fact('Pays')).toContainText('Burkina Faso');
  await expect(fact('Créé le')).toContainText(String(new Date().getFullYear()));
  await page.getByRole('link', { name: 'Voir ses 2 tickets' }).click();
  await expect(page).toHaveURL(`${product.url}/admin/tickets?utilisateur=${user.userId}`);
  await page.goBack();

  const actions = page.getByRole('region', { name: 'Actions' });
  await actions.getByRole('button', { name: 'Désactiver' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Désactiver' }).click();
  await expect(fact('Statut')).toContainText('Non vérifiéDésactivé');
  await actions.getByRole('button', { name: 'Activer' }).click();
  await expect(fact('Statut')).not.toContainText('Désactivé');
  await page.getByRole('link', { name: 'Tous les utilisateurs' }).click();
  await expect(page).toHaveURL(list);
  await rowOf(page, fullName(person)).getByRole('link').click();
  await actions.getByRole('button', { name: 'Supprimer définitivement' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Supprimer définitivement' }).click();
  await expect(page).toHaveURL(list);
  await expect(page.getByText('Aucun utilisateur trouvé')).toBeVisible();
  await page.goto(`${product.url}/admin/users?utilisateur=${user.userId}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Utilisateur introuvable' })).toBeVisible();
});
