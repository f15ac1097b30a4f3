import { otpTries } from '#contract/auth.ts';
import { failureCatalogue } from '#contract/failure.ts';
import { countRequests } from './answers.ts';
import { expect, test } from './fixtures.ts';
import { closeMessage, expectFailure, expectRefusalShown, expectToast, ownWords, refuse } from './messages.ts';
import { makeAccount } from './people.ts';
import { expectToggle, holdBack, stored } from './steps.ts';

const screens = [
  { path: '/otp-verification', key: 'pendingVerificationPhone', check: 'verify-otp', again: 'resend-otp' },
  { path: '/forgot-password-otp', key: 'resetPasswordPhone', check: 'verify-reset-otp', again: 'resend-reset-otp' },
];

for (const { path, key, check, again } of screens)
  test(`P5.5 to P5.9, ${path}: the masked number, four boxes, Code incomplet, a refused code, another code`, async ({
    page,
    product,
    provoke,
  }) => {
    provoke('500 /api/auth/', '400 /api/auth/');
    await page.goto(product.url);
    await page.evaluate((name) => localStorage.setItem(name, '+22670123491'), key);
    await page.goto(product.url + path);
    await expect(page.getByRole('heading', { name: 'Vérification par SMS' })).toBeVisible();
    await expect(page.getByText('+226 XX XX XX 91')).toBeVisible();

    const boxes = page.getByLabel(/^Chiffre \d$/);
    await expect(boxes).toHaveCount(4);
    const checked = countRequests(page, 'POST', new RegExp(`/api/auth/${check}$`));
    const verify = page.getByRole('button', { name: 'Vérifier' });
    await expect(verify).toBeDisabled();
    await page.getByLabel('Chiffre 1').focus();
    await page.keyboard.type('7');
    // Typing into a full box replaces its character.
    await page.getByLabel('Chiffre 1').focus();
    await page.keyboard.type('3');
    await expect(page.getByLabel('Chiffre 1')).toHaveValue('3');
    await expect(page.getByLabel('Chiffre 2')).toBeFocused();
    // The button is disabled until four digits stand there, Enter is not.
    await page.keyboard.press('Enter');
    await expectFailure(page, 'Code incomplet', 'Veuillez saisir le code à 4 chiffres.');
    await page.keyboard.type('45');
    await expect(verify).toBeDisabled();
    expect(checked.count()).toBe(0);

    const fallback = 'Code OTP invalide ou expiré.';
    for (const message of [undefined, ownWords]) {
      await refuse(page, `**/api/auth/${check}`, message);
      if (message) await verify.click();
      else await page.getByLabel('Chiffre 4').fill('6');
      await expect(verify).toBeEnabled();
      await expectFailure(page, 'Erreur de vérification', message ?? fallback);
      // Not only in the toast.
      await closeMessage(page);
      await expect(page.getByText(message ?? fallback)).toBeVisible();
      await expect(boxes.first()).toHaveAttribute('aria-invalid', 'true');
      await expect(boxes.first()).toHaveAccessibleDescription(message ?? fallback);
    }
    // After three wrong codes another one is all that is left to ask for.
    const [status, message] = failureCatalogue.CODE_INVALID;
    await page.unroute(`**/api/auth/${check}`);
    await page.route(`**/api/auth/${check}`, (route) =>
      route.fulfill({ status, json: { code: 'CODE_INVALID', message } }),
    );
    const before = checked.count();
    for (let tried = 1; tried <= otpTries; tried += 1) {
      await boxes.first().fill('1234');
      await expect.poll(checked.count).toBe(before + tried);
      await expect(boxes.first()).toHaveValue('');
    }
    await expect(page.getByText('Ce code ne peut plus servir')).toBeVisible();
    await expect(boxes.first()).toBeDisabled();
    await expect(verify).toBeHidden();
    const resend = page.getByRole('button', { name: 'Renvoyer le code' });
    await expectRefusalShown(page, {
      url: `**/api/auth/${again}`,
      title: 'Erreur',
      fallback: 'Impossible de renvoyer le code.',
      send: () => resend.click(),
    });
    await page.route(`**/api/auth/${again}`, (route) => route.fulfill({ json: { retryAfter: 60 } }));
    await resend.click();
    await expectToast(page, 'Code renvoyé');
    await expect(boxes.first()).toHaveValue('');
    await expect(boxes.first()).toBeFocused();
    await expect(verify).toBeVisible();
  });

test('P5.10 to P5.13, password recovery: the phone, the code, the token, the new password, nothing left, /auth', async ({
  page,
  product,
  provoke,
}) => {
  provoke('500 /api/auth/', '404 /api/auth/forgot-password');
  const person = { firstName: 'Alima', lastName: 'Lettre', phone: '77000011' };
  await makeAccount(product, person);
  await page.goto(`${product.url}/forgot-password`);
  await expect(page.getByRole('heading', { name: 'Mot de passe oublié' })).toBeVisible();
  const phone = page.getByLabel('Numéro de téléphone');
  await expect(phone).toHaveAttribute('name', 'phoneOrEmail');
  const ask = page.getByRole('button', { name: 'Envoyer le code' });
  await ask.click();
  await expect(phone).toHaveAccessibleDescription('Saisissez votre numéro de téléphone.');
  // An unknown number is told at the field, and by no message that goes.
  await phone.fill('70 99 99 98');
  await ask.click();
  await expect(phone).toHaveAccessibleDescription('Utilisateur non trouvé ou numéro invalide.');
  await expect(phone).toBeFocused();
  await expect(page.getByRole('alert').filter({ hasText: 'Erreur' })).toHaveCount(0);
  await phone.fill(person.phone);
  await expectRefusalShown(page, {
    url: '**/api/auth/forgot-password',
    title: 'Erreur',
    fallback: 'Utilisateur non trouvé ou numéro invalide.',
    send: () => ask.click(),
  });
  await ask.click();
  await expectToast(page, 'Code envoyé', 'SMS');
  await expect(page).toHaveURL(`${product.url}/forgot-password-otp`);
  expect(await stored(page, 'resetPasswordPhone')).toBe(`+226${person.phone}`);

  // Back to the screen where the number was typed, and on again.
  await page.getByRole('button', { name: 'Retour' }).click();
  await expect(page).toHaveURL(`${product.url}/forgot-password`);
  await page.goForward();
  const code = await product.readCode(`+226${person.phone}`);
  await page.getByLabel('Chiffre 1').fill(code);
  await expectToast(page, 'Code vérifié');
  await expect(page).toHaveURL(`${product.url}/reset-password`);
  expect(await stored(page, 'resetPasswordToken')).toMatch(/^[\w-]{43}$/);

  await expect(page.getByRole('heading', { name: 'Nouveau mot de passe' })).toBeVisible();
  const [first, second] = [page.getByLabel('Nouveau mot de passe'), page.getByLabel('Confirmer le mot de passe')];
  for (const field of [first, second]) await expectToggle(field);
  const save = page.getByRole('button', { name: 'Enregistrer' });
  await save.click();
  const short = 'Le mot de passe doit contenir au moins 6 caractères.';
  await expect(first).toHaveAccessibleDescription(short);
  await expect(second).toHaveAccessibleDescription('Confirmez le mot de passe.');
  await first.fill('autre-secret');
  await second.fill('autre-secre');
  await save.click();
  await expect(second).toHaveAccessibleDescription('Les mots de passe ne correspondent pas.');
  await second.fill('autre-secret');
  await expectRefusalShown(page, {
    url: '**/api/auth/reset-password',
    title: 'Erreur',
    fallback: 'Impossible de réinitialiser le mot de passe.',
    send: () => save.click(),
  });
  const { release } = await holdBack(page, '**/api/auth/reset-password');
  await save.click();
  release();
  await expectToast(page, 'Mot de passe réinitialisé');
  await expect(page).toHaveURL(`${product.url}/auth`);
  for (const key of ['resetPasswordPhone', 'resetPasswordToken', 'guichet_user'])
    expect(await stored(page, key), key).toBeNull();
});
