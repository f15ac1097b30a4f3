import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { expectToast } from './messages.ts';
import { password } from './people.ts';
import { enterAs } from './steps.ts';

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
