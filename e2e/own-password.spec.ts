import type { Page } from '@playwright/test';
import { untilAnswered } from './answers.ts';
import { callAs } from './caller.ts';
import { expect, test } from './fixtures.ts';
import { expectToast } from './messages.ts';
import { password } from './people.ts';
import { enterAs, enterAsAdministrator } from './steps.ts';
import { choose, enterListOf, fullName, personOf } from './users-tab.ts';

const passwordNeeded = { code: 'PASSWORD_NEEDED', message: 'Confirmez votre mot de passe pour continuer.' };

async function fillIn(page: Page, [current, fresh, again]: readonly [string, string, string]): Promise<void> {
  await page.getByLabel('Mot de passe actuel').fill(current);
  await page.getByLabel('Nouveau mot de passe').fill(fresh);
  await page.getByLabel('Confirmer le mot de passe').fill(again);
  await page.getByRole('button', { name: 'Changer' }).click();
}

test('a person changes their password: told what is wrong at each field, kept without an answer, and still in after it', async ({
  page,
  product,
  provoke,
}) => {
  provoke('403 /api/auth/change-password', 'ERR_INTERNET_DISCONNECTED', 'ERR_FAILED');
  const person = { firstName: 'Denise', lastName: 'Secret', phone: '77000171' };
  await enterAs(page, product, person);
  await page.goto(`${product.url}/settings`);
  await page.getByRole('button', { name: 'Sécurité' }).click();
  const dialog = page.getByRole('dialog', { name: 'Changer mon mot de passe' });
  for (const [label, autocomplete] of [
    ['Mot de passe actuel', 'current-password'],
    ['Nouveau mot de passe', 'new-password'],
    ['Confirmer le mot de passe', 'new-password'],
  ] as const)
    await expect(dialog.getByLabel(label)).toHaveAttribute('autocomplete', autocomplete);
  await expect(dialog.getByRole('button', { name: 'Afficher le mot de passe' })).toHaveCount(3);

  await fillIn(page, ['', '12345', '']);
  for (const text of ['Saisissez votre mot de passe.', 'Le mot de passe doit contenir au moins 6 caractères.'])
    await expect(dialog.getByText(text).first()).toBeVisible();
  await fillIn(page, ['faux-faux', 'nouveau-171', 'nouveau-172']);
  await expect(dialog.getByText('Les mots de passe ne correspondent pas.')).toBeVisible();
  await fillIn(page, ['faux-faux', 'nouveau-171', 'nouveau-171']);
  await expect(dialog.getByText('Mot de passe actuel incorrect.')).toBeVisible();
  await expect(dialog.getByLabel('Mot de passe actuel')).toBeFocused();

  await page.route('**/api/auth/change-password', (route) => route.abort());
  await fillIn(page, [password, 'nouveau-171', 'nouveau-171']);
  await expect(dialog.getByRole('alert')).toContainText('Pas de réponse du réseau.');
  await expect(dialog.getByLabel('Nouveau mot de passe')).toHaveValue('nouveau-171');
  await page.unroute('**/api/auth/change-password');

  const cookie = async () => (await page.context().cookies()).find(({ name }) => name === 'guichet_session')?.value;
  const before = await cookie();
  await fillIn(page, [password, 'nouveau-171', 'nouveau-171']);
  await expectToast(page, 'Mot de passe modifié', 'Vos autres appareils ont été déconnectés.');
  await expect(dialog).toBeHidden();
  expect(await cookie()).not.toBe(before);
  await page.reload();
  await expect(page.getByRole('main')).toContainText('Denise Secret');
});

test('a poll that comes with the session of before, while the password changes, signs nobody out @slow', async ({
  page,
  product,
  provoke,
}) => {
  provoke('401 /api/notifications/user/');
  await enterAs(page, product, { firstName: 'Félix', lastName: 'Secret', phone: '77000172' });
  await page.goto(`${product.url}/settings`);
  // A signed-out user stays removed from storage.
  await page.addInitScript(() => {
    const remove = Storage.prototype.removeItem;
    Storage.prototype.removeItem = function (key) {
      if (key === 'guichet_user') sessionStorage.setItem('left', 'yes');
      remove.call(this, key);
    };
  });
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const notSignedIn = { code: 'NOT_SIGNED_IN', message: 'Veuillez vous connecter pour continuer.' };
  const list = /\/api\/notifications\/user\/\d+(\?|$)/;
  await page.reload();
  await untilAnswered(page);
  await page.route(list, async (route) => {
    await held;
    await route.fulfill({ status: 401, json: notSignedIn });
  });
  const polled = page.waitForRequest(list);
  await page.getByRole('link', { name: 'Notifications' }).click();
  await polled;
  await page.getByRole('link', { name: 'Paramètres' }).click();
  await page.getByRole('button', { name: 'Sécurité' }).click();
  const answered = page.waitForResponse(list);
  await page.route('**/change-password', async (route) => {
    release();
    await (await answered).finished();
    await route.continue();
  });
  await fillIn(page, [password, 'nouveau-172', 'nouveau-172']);
  await expectToast(page, 'Mot de passe modifié', 'Vos autres appareils ont été déconnectés.');
  expect(await page.evaluate(() => sessionStorage.getItem('left'))).toBeNull();
  await page.unroute(list);
  await page.reload();
  await expect(page.getByRole('main')).toContainText('Félix Secret');
});

test("an administrator changes theirs in the panel's settings @slow", async ({ page, product, provoke }) => {
  provoke('422 /api/auth/change-password');
  await enterAsAdministrator(page, product, '/admin/settings?section=compte');
  const { password: own } = product.administrator;
  await expect(page.getByRole('heading', { name: 'Mon mot de passe' })).toBeVisible();
  await page.route('**/api/auth/change-password', (route) =>
    route.fulfill({
      status: 422,
      json: {
        code: 'PASSWORD_COMMON',
        message: 'Ce mot de passe est trop courant : choisissez-en un autre.',
        issues: [{ path: 'newPassword', message: 'Ce mot de passe est trop courant : choisissez-en un autre.' }],
      },
    }),
  );
  await fillIn(page, [own, 'motdepasse', 'motdepasse']);
  await expect(page.getByText('Ce mot de passe est trop courant : choisissez-en un autre.')).toBeVisible();
  await page.unroute('**/api/auth/change-password');
  // To the same password, which the other tests use.
  await fillIn(page, [own, own, own]);
  await expectToast(page, 'Mot de passe modifié', 'Vos autres appareils ont été déconnectés.');
  await expect(page.getByLabel('Nouveau mot de passe')).toHaveValue('');
});

test('the panel asks for the password where the server does, and then goes on by itself @slow', async ({
  page,
  product,
  provoke,
}) => {
  provoke('403 /api/admin/users/', '403 /api/auth/confirm-password');
  const person = personOf('Promue', '70320290');
  await callAs(product, person);
  await enterListOf(page, product, person);
  let isConfirmed = false;
  page.on('response', (response) => {
    if (response.url().endsWith('/confirm-password') && response.ok()) isConfirmed = true;
  });
  await page.route('**/administrator', (route) =>
    isConfirmed ? route.continue() : route.fulfill({ status: 403, json: passwordNeeded }),
  );
  const begin = async () => {
    await choose(page, fullName(person), 'Nommer administrateur');
    await page.getByRole('button', { name: 'Nommer administrateur', exact: true }).click();
  };
  await begin();
  const asked = page.getByRole('dialog', { name: 'Confirmez votre mot de passe' });
  await expect(asked.getByLabel('Votre mot de passe')).toHaveAttribute('autocomplete', 'current-password');
  await asked.getByRole('button', { name: 'Annuler' }).click();
  // Nothing was done or reported: the question remains open.
  await expect(asked).toBeHidden();
  await expect(page.getByRole('alert').filter({ hasText: 'Erreur' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Nommer administrateur', exact: true }).click();
  await asked.getByLabel('Votre mot de passe').fill('faux-faux');
  await asked.getByRole('button', { name: 'Confirmer' }).click();
  await expect(asked.getByText('Mot de passe actuel incorrect.')).toBeVisible();
  await asked.getByLabel('Votre mot de passe').fill(product.administrator.password);
  await asked.getByRole('button', { name: 'Confirmer' }).click();
  await expectToast(page, 'Rôle mis à jour', `${fullName(person)} a maintenant le rôle d'administrateur.`);
  await expect(page.getByRole('dialog')).toHaveCount(0);
});
