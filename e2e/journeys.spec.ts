import { expect, test } from './fixtures.ts';
import { expectFailure } from './messages.ts';
import { password } from './people.ts';
import { loseOneAnswer, outside, sendSignUp, slowDown } from './steps.ts';

test.use({ serviceWorkers: 'allow' });

const _toSchool = ['Factures et paiements', 'Scolarité', 'Inscription universitaire'];

test('sign-up on a slow line with two answers lost: nothing typed is lost, and no finished step is left to go back to', async ({
  page,
  product,
  provoke,
}) => {
  provoke('409 /api/auth/verify-otp');
  const person = { firstName: 'Salif', lastName: 'Keïta', phone: '73000001' };
  await page.goto(outside);
  await slowDown(page);
  await page.goto(product.url);
  const keys: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/auth/signup')) keys.push(request.headers()['idempotency-key']);
  });
  await loseOneAnswer(page, '**/api/auth/signup');
  await sendSignUp(page, person);
  await expect(page.getByText('Pas de réponse du réseau.')).toBeVisible();
  await page.getByRole('button', { name: "S'inscrire" }).click();
  await expect(page.getByRole('heading', { name: 'Vérification par SMS' })).toBeVisible();
  await expect(page.getByText('Pas de réponse du réseau.')).toBeHidden();
  await expect(page.getByLabel('Chiffre 1')).toBeFocused();
  expect(keys).toHaveLength(2);
  expect(keys[0]).toMatch(/^\w{32}$/);
  expect(keys[1]).toBe(keys[0]);

  await page.getByRole('button', { name: 'Retour' }).click();
  await expect(page.getByRole('tab', { name: 'Inscription' })).toHaveAttribute('aria-selected', 'true');
  for (const [label, value] of Object.entries({
    Prénom: person.firstName,
    Nom: person.lastName,
    Téléphone: '73 00 00 01',
    'Mot de passe': password,
    'Confirmer le mot de passe': password,
  }))
    await expect(page.getByLabel(label, { exact: true })).toHaveValue(value);
  await page.goForward();

  await loseOneAnswer(page, '**/api/auth/verify-otp');
  const code = await product.readCode(`+226${person.phone}`);
  await expect(page.getByLabel('Chiffre 1')).toBeFocused();
  await page.keyboard.type(code);
  await expectFailure(page, 'Erreur de vérification', 'Pas de réponse du réseau.');
  await expect(page.getByLabel('Chiffre 4')).toHaveValue(code.slice(3));
  await page.getByRole('button', { name: 'Vérifier' }).click();
  await expect(page.getByText('Ce numéro est déjà vérifié. Connectez-vous.')).toBeVisible();
  await expect(page.getByLabel('Téléphone ou e-mail')).toHaveValue('+226 73 00 00 01');
  await expect(page.getByLabel('Mot de passe', { exact: true })).toHaveValue('');
  await page.getByLabel('Mot de passe', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Se connecter' }).click();
  await expect(page.getByRole('heading', { name: 'Bonjour Salif' })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(outside);
  await page.goForward();
  await expect(page.getByRole('heading', { name: 'Bonjour Salif' })).toBeVisible();
});
