import { expect, test } from './fixtures.ts';
import { linesOf } from './layout.ts';
import { expectToast } from './messages.ts';
import { enterAs, enterAsGuest, stored } from './steps.ts';

test('P2.12, P11.1, P11.3, P11.5, P11.6, /settings of a user: the profile, Vérifié or Non vérifié, entries that each open, version 1.0.0, the legal links, Se déconnecter', async ({
  page,
  product,
}) => {
  await enterAs(page, product, { firstName: 'Pauline', lastName: 'Lettre', phone: '77000078' });
  // The server's answer for a user with an e-mail address.
  const user = JSON.parse((await stored(page, 'guichet_user')) ?? '');
  await page.route('**/api/auth/me', (route) =>
    route.fulfill({ json: { user: { ...user, email: 'pauline.sow@exemple.bf' } } }),
  );
  await page.goto(`${product.url}/settings`);
  const main = page.getByRole('main');
  await expect(page.getByRole('heading', { level: 1, name: 'Paramètres' })).toBeVisible();
  for (const text of ['Pauline Lettre', 'Vérifié', 'pauline.sow@exemple.bf', '+226 77 00 00 78'])
    await expect(main.getByText(text, { exact: true })).toBeVisible();
  expect(await linesOf(main.getByText('pauline.sow@exemple.bf'))).toBe(1);
  for (const [name, title, sign] of [
    ['Profil', 'Profil', 'Prénom'],
    ['Bénéficiaires', 'Bénéficiaires', 'Aucun bénéficiaire'],
    ['Sécurité', 'Changer mon mot de passe', 'Mot de passe actuel'],
    ['Notifications', 'Notifications', /approuvée ou rejetée/],
    ['Affichage', 'Affichage', 'Thème'],
    ["Centre d'aide", "Centre d'aide", /Comment payer/],
  ] as const) {
    await main.getByRole('button', { name }).click();
    const dialog = page.getByRole('dialog', { name: title });
    await expect(dialog.getByText(sign).first()).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  }
  await expect(main).toContainText(/À propos.*Plateforme Guichet, version 1\.0\.0/s);
  await expect(page.getByRole('link', { name: /^Conditions/ })).toHaveAttribute(
    'href',
    '/content/conditions-utilisation',
  );
  const privacy = page.getByRole('link', { name: /confidentialité$/i });
  await expect(privacy).toHaveAttribute('href', '/content/politique-confidentialite');

  await page.unroute('**/api/auth/me');
  await page.route('**/api/auth/me', (route) => route.fulfill({ json: { user: { ...user, isVerified: false } } }));
  await page.reload();
  await expect(main.getByText('Non vérifié', { exact: true })).toBeVisible();
  await main.getByRole('button', { name: 'Se déconnecter' }).click();
  await expectToast(page, 'Déconnexion réussie', 'Vous avez été déconnecté avec succès.');
  await expect(page).toHaveURL(`${product.url}/auth`);
  expect(await stored(page, 'guichet_user')).toBeNull();
});

test('P11.2, /settings of a guest: Invité, Vous naviguez en mode invité, Affichage and help, Quitter le mode invité, nothing else', async ({
  page,
  product,
}) => {
  await enterAsGuest(page, product);
  await page.getByRole('link', { name: 'Paramètres' }).click();
  const main = page.getByRole('main');
  await expect(main.getByText('Invité', { exact: true }).first()).toBeVisible();
  await expect(main.getByText('Vous naviguez en mode invité')).toBeVisible();
  for (const name of ['Se déconnecter', 'Profil', 'Sécurité', 'Notifications'])
    await expect(main.getByRole('button', { name })).toHaveCount(0);
  for (const name of ['Affichage', "Centre d'aide"]) await expect(main.getByRole('button', { name })).toBeVisible();
  await main.getByRole('button', { name: 'Quitter le mode invité' }).click();
  await expect(page.getByRole('tab', { name: 'Connexion' })).toBeVisible();
  expect(await stored(page, 'guichet_user')).toBeNull();
});
