import { installClock, stopClock } from './clock.ts';
import { expect, test } from './fixtures.ts';
import { makeDataFolder, startProduct } from './product.ts';
import { fillSignUp } from './steps.ts';

test('a right code that does not suffice: the screen says so calmly, and takes the second one', async ({
  page,
  provoke,
}) => {
  provoke('403 /api/auth/verify-otp');
  // A separate product: wrong codes here affect all users.
  const product = await startProduct(makeDataFolder());
  for (let flow = 0; flow < 4; flow += 1) {
    const phone = `+2267600010${flow}`;
    const data = { firstName: 'A', lastName: 'B', phone, password: 'secret-1', confirmPassword: 'secret-1' };
    const post = (path: string, body: object) => page.request.post(`${product.url}/api/auth/${path}`, { data: body });
    expect((await post('signup', data)).status()).toBe(201);
    const code = (await product.readCode(phone)) === '0000' ? '0001' : '0000';
    for (let tries = 0; tries < 3; tries += 1) expect((await post('verify-otp', { phone, code })).status()).toBe(400);
  }
  await page.context().clearCookies();
  await page.goto(product.url);
  await fillSignUp(page, { firstName: 'Rokia', lastName: 'Zongo', phone: '76000200' });
  await expect(page.getByLabel('Chiffre 1')).toBeFocused();
  await page.keyboard.type(await product.readCode('+22676000200'));

  const notice = page.getByText('un second code vient de vous être envoyé : saisissez-le');
  await expect(notice).toBeVisible();
  await expect(page.getByText('Erreur')).toBeHidden();
  await expect(page.getByLabel('Chiffre 1')).toBeFocused();
  for (const digit of [1, 2, 3, 4]) await expect(page.getByLabel(`Chiffre ${digit}`)).toHaveValue('');
  await expect(page.getByRole('button', { name: /Renvoyer le code dans (2 minutes|1\d\d secondes)/ })).toBeDisabled();
  await page.keyboard.type(await product.readCode('+22676000200'));
  await expect(page.getByRole('heading', { name: 'Bonjour Rokia' })).toBeVisible();
  await page.close();
  await product.stop();
});

test('where no code may be sent until midnight, another one can be asked for after a minute', async ({
  page,
  product,
  provoke,
}) => {
  provoke('503 /api/auth/resend-otp');
  await installClock(page);
  await page.goto(product.url);
  await stopClock(page);
  await fillSignUp(page, { firstName: 'Awa', lastName: 'Plafond', phone: '77030011' });
  await expect(page.getByLabel('Chiffre 1')).toBeFocused();
  await page.clock.runFor(60_000);
  const message = 'Nous ne pouvons pas envoyer de code par SMS pour le moment. Réessayez dans 9 heures.';
  await page.route('**/api/auth/resend-otp', (route) =>
    route.fulfill({ status: 503, json: { code: 'SMS_PAUSED', message, retryAfter: 32_400 } }),
  );
  await page.getByRole('button', { name: 'Renvoyer le code' }).click();
  await expect(page.getByText(message)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Renvoyer le code dans 60 secondes' })).toBeDisabled();
  await page.clock.runFor(60_000);
  await expect(page.getByRole('button', { name: 'Renvoyer le code', exact: true })).toBeEnabled();
});
