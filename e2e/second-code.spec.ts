import { failureCatalogue } from '#contract/failure.ts';
import { expect, test } from './fixtures.ts';
import { fillSignUp } from './steps.ts';

test('a right code that does not suffice: the screen says so calmly, and takes the second one', async ({
  page,
  product,
  provoke,
}) => {
  provoke('403 /api/auth/verify-otp');
  await page.goto(product.url);
  await fillSignUp(page, { firstName: 'Rokia', lastName: 'Zongo', phone: '76000200' });
  const [status, message] = failureCatalogue.SECOND_CODE;
  const json = { code: 'SECOND_CODE', message, retryAfter: 120 };
  await page.route('**/api/auth/verify-otp', (route) => route.fulfill({ status, json }), { times: 1 });
  const code = await product.readCode('+22676000200');
  await page.getByLabel('Chiffre 1').fill(code);

  await expect(page.getByText('un second code vient de vous être envoyé : saisissez-le')).toBeVisible();
  await expect(page.getByText('Erreur')).toBeHidden();
  await expect(page.getByLabel('Chiffre 1')).toBeFocused();
  for (const digit of [1, 2, 3, 4]) await expect(page.getByLabel(`Chiffre ${digit}`)).toHaveValue('');
  await expect(page.getByRole('button', { name: /Renvoyer le code dans (2 minutes|1\d\d secondes)/ })).toBeDisabled();
  await page.keyboard.type(code);
  await expect(page.getByRole('heading', { name: 'Bonjour Rokia' })).toBeVisible();
});

test('an account at which somebody guesses: an unknown browser is led to the reset by SMS, with its number', async ({
  page,
  product,
  provoke,
}) => {
  provoke('429 /api/auth/signin');
  await page.goto(product.url);
  const [status, message] = failureCatalogue.RESET_NEEDED;
  await page.route('**/api/auth/signin', (route) => route.fulfill({ status, json: { code: 'RESET_NEEDED', message } }));
  await page.getByLabel('Téléphone ou e-mail').fill('76 00 02 01');
  await page.getByLabel('Mot de passe', { exact: true }).fill('le-bon');
  await page.getByRole('button', { name: 'Se connecter' }).click();
  await expect(page.getByText(message)).toBeVisible();
  await expect(page).toHaveURL(`${product.url}/forgot-password`);
  await expect(page.getByLabel('Numéro de téléphone')).toHaveValue('76 00 02 01');
});
