import { callAs, callAsAdministrator } from './caller.ts';
import { installClock } from './clock.ts';
import { expect, test } from './fixtures.ts';
import {
  choose,
  enterListOf,
  expectToast,
  fullName,
  menuOpener,
  personOf,
  rowOf,
  searchBox,
  signUpOnly,
  trySignIn,
} from './users-tab.ts';

test.use({ viewport: { width: 1280, height: 800 } });

test("what fails is told: the server's words, or the screen's own; the dialog stays @slow", async ({
  page,
  product,
  provoke,
}) => {
  provoke('500 /api/admin/users/', '404 /api/admin/users/');
  const verified = personOf('Échec', '70320190');
  const unverified = { firstName: 'Attente', lastName: verified.lastName, phone: '70320191' };
  await callAs(product, verified);
  const id = await signUpOnly(product, unverified);
  await enterListOf(page, product, verified);
  await page.route('**/api/admin/users/**', (route) =>
    route.request().method() === 'GET' ? route.fallback() : route.fulfill({ status: 500, body: '' }),
  );
  const failures: [action: string, confirm: string, sentence: string][] = [
    ['Désactiver', 'Désactiver', "Impossible de désactiver l'utilisateur."],
    ['Supprimer définitivement', 'Supprimer définitivement', "Impossible de supprimer l'utilisateur."],
    ['Nommer administrateur', 'Nommer administrateur', 'Impossible de modifier le rôle.'],
    ['Réinitialiser le mot de passe', 'Réinitialiser', 'Impossible de réinitialiser le mot de passe.'],
  ];
  for (const [action, confirm, sentence] of failures) {
    await choose(page, fullName(verified), action);
    const dialog = page.getByRole('dialog');
    const field = dialog.getByLabel('Nouveau mot de passe');
    if (confirm === 'Réinitialiser') await field.fill('nouveau-secret');
    await dialog.getByRole('button', { name: confirm, exact: true }).click();
    await expect(dialog.getByRole('alert')).toContainText(`Erreur${sentence}`);
    if (confirm === 'Réinitialiser') await expect(field).toHaveValue('nouveau-secret');
    await dialog.getByRole('button', { name: 'Annuler' }).click();
    await expect(dialog).toBeHidden();
  }
  await choose(page, fullName(unverified), 'Activer');
  await expectToast(page, 'Erreur', "Impossible de réactiver l'utilisateur.");
  await page.unroute('**/api/admin/users/**');
  await expect(rowOf(page, fullName(verified)).getByText('Vérifié', { exact: true })).toBeVisible();

  await choose(page, fullName(unverified), 'Supprimer définitivement');
  const admin = await callAsAdministrator(product);
  await admin.send('DELETE', `/api/admin/users/${id}`);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Supprimer définitivement' }).click();
  await expect(dialog.getByRole('alert')).toContainText('ErreurUtilisateur introuvable.');
  await dialog.getByRole('button', { name: 'Annuler' }).click();
  await expect(rowOf(page, fullName(unverified))).toBeHidden();
});

test('by keyboard alone: the menu, its dialogs, and the focus back where it was @slow', async ({ page, product }) => {
  const person = personOf('Clavier', '70320196');
  await callAs(product, person);
  await enterListOf(page, product, person);
  const opener = menuOpener(page, fullName(person));
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await searchBox(page).focus();
  await press('Tab', 'Tab');
  await expect(opener).toBeFocused();
  const item = (name: string) => page.getByRole('menuitem', { name, exact: true });
  // Keys pressed before the menu has the focus go to its opener.
  const openMenu = async () => {
    await press('Enter');
    await expect(item('Voir le profil')).toBeFocused();
  };
  await openMenu();
  await press('Escape');
  await expect(opener).toBeFocused();
  await openMenu();
  await press('ArrowDown');
  await expect(item('Réinitialiser le mot de passe')).toBeFocused();
  await press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Nouveau mot de passe')).toBeFocused();
  await page.keyboard.type('clavier-seul');
  await press('Enter');
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
  expect(await trySignIn(product, person, 'clavier-seul')).toBe(200);

  await openMenu();
  for (const next of ['Réinitialiser le mot de passe', 'Désactiver']) {
    await press('ArrowDown');
    await expect(item(next)).toBeFocused();
  }
  await press('Enter');
  await expect(dialog.getByRole('button', { name: 'Annuler' })).toBeFocused();
  await press('Tab', 'Enter');
  await expect(page.getByText('Utilisateur désactivé')).toBeVisible();
  await expect(opener).toBeFocused();
  await openMenu();
  await press('End');
  await expect(item('Supprimer définitivement')).toBeFocused();
  await press('Enter');
  await expect(dialog).toBeVisible();
  await press('Escape');
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
  await openMenu();
  await press('End');
  await expect(item('Supprimer définitivement')).toBeFocused();
  await press('Enter');
  await expect(dialog.getByRole('button', { name: 'Annuler' })).toBeFocused();
  await press('Tab', 'Space');
  await expect(page.getByText('Utilisateur supprimé')).toBeVisible();
  await expect(page.getByText('0 utilisateur', { exact: true })).toBeFocused();
});

test('what is polled meanwhile closes no menu and no dialog, and wipes nothing that is typed @slow', async ({
  page,
  product,
}) => {
  const person = personOf('Sonde', '70320195');
  const { userId } = await callAs(product, person);
  const admin = await callAsAdministrator(product);
  await installClock(page);
  const row = await enterListOf(page, product, person);
  const poll = async (path = '/api/admin/users') => {
    const answered = page.waitForResponse((answer) => new URL(answer.url()).pathname === path);
    await page.clock.runFor(10_000);
    await (await answered).finished();
  };
  await choose(page, fullName(person), 'Réinitialiser le mot de passe');
  const dialog = page.getByRole('dialog', { name: 'Réinitialiser le mot de passe' });
  const field = dialog.getByLabel('Nouveau mot de passe');
  await field.pressSequentially('à moitié');
  await admin.send('PATCH', `/api/admin/users/${userId}/deactivate`);
  await poll();
  await expect(page.getByText('Non vérifié', { exact: true })).toBeVisible();
  await expect(field).toHaveValue('à moitié');
  await expect(field).toBeFocused();
  await page.keyboard.press('Escape');

  await menuOpener(page, fullName(person)).click();
  await admin.send('PATCH', `/api/admin/users/${userId}/activate`);
  await poll();
  await expect(row.getByText('Vérifié', { exact: true })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Désactiver' })).toBeVisible();
  await page.keyboard.press('Escape');

  await searchBox(page).fill('à moitié cherché');
  await poll();
  await expect(page.getByText('Aucun utilisateur trouvé')).toBeVisible();
  await expect(searchBox(page)).toHaveValue('à moitié cherché');
});
