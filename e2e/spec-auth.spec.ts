import { expect, test } from './fixtures.ts';
import { closeMessage, expectRefusalShown, expectToast, ownWords } from './messages.ts';
import { makeAccount, password } from './people.ts';
import { expectToggle, holdBack, sendSignIn, sendSignUp, stored } from './steps.ts';

const atHome = (url: string) => new RegExp(`^${url}/(\\?|$)`);

test("P1.3, P4.1 to P4.5, the entry: two tabs, what each asks for, the guest's button, the legal links; +226 by default, the seven codes, and a placeholder in XX XX form", async ({
  page,
  product,
}) => {
  await page.goto(product.url);
  await expect(page.getByRole('tab')).toHaveText(['Connexion', 'Inscription']);
  await expect(page.getByRole('tab', { name: 'Connexion' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByLabel('Téléphone ou e-mail')).toHaveAttribute('name', 'phoneOrEmail');
  await expectToggle(page.getByLabel('Mot de passe', { exact: true }));
  await expect(page.getByRole('button', { name: 'Se connecter' })).toBeEnabled();
  await expect(page.getByRole('link', { name: 'Mot de passe oublié ?' })).toHaveAttribute('href', '/forgot-password');
  await expect(page.getByRole('button', { name: "Continuer en tant qu'invité" })).toBeEnabled();
  const terms = page.getByRole('link', { name: /^Conditions/ });
  await expect(terms).toHaveAttribute('href', '/content/conditions-utilisation');
  const privacy = page.getByRole('link', { name: /confidentialité$/i });
  await expect(privacy).toHaveAttribute('href', '/content/politique-confidentialite');

  await page.getByRole('tab', { name: 'Inscription' }).click();
  for (const label of ['Prénom', 'Nom', 'Téléphone'])
    await expect(page.getByLabel(label, { exact: true })).toBeVisible();
  // All that is asked for is in sight, and the button that sends it.
  await expect(page.getByRole('button', { name: "S'inscrire" })).toBeInViewport({ ratio: 1 });
  await page.getByRole('button', { name: 'Ajouter un e-mail' }).click();
  await expect(page.getByLabel('E-mail (facultatif)')).toBeFocused();
  await expectToggle(page.getByLabel('Mot de passe', { exact: true }));
  await expectToggle(page.getByLabel('Confirmer le mot de passe'));
  await expect(page.getByRole('button', { name: "S'inscrire" })).toBeEnabled();

  const country = page.getByLabel('Indicatif du pays');
  await expect(country).toHaveValue('+226');
  const offered = await country
    .locator('option')
    .evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value));
  expect(offered.toSorted()).toEqual(['+221', '+223', '+225', '+226', '+227', '+228', '+229']);
  const phone = page.getByLabel('Téléphone', { exact: true });
  await expect(phone).toHaveAttribute('placeholder', 'XX XX XX XX');
  // One ring around the whole field.
  await phone.focus();
  await expect(phone).toHaveCSS('outline-style', 'none');
  await expect(phone.locator('xpath=..')).toHaveCSS('outline-style', 'solid');
  for (const [code, placeholder] of Object.entries({
    '+225': 'XX XX XX XX XX',
    '+221': 'XX XXX XX XX',
    '+228': 'XX XX XX XX',
  })) {
    await country.selectOption(code);
    await expect(phone).toHaveAttribute('placeholder', placeholder);
  }
});

test('P4.9, P4.10, P5.8, sign-up: Inscription..., Inscription réussie, the number kept, /otp-verification; the code: Vérification réussie, the user kept, /', async ({
  page,
  product,
}) => {
  const person = { firstName: 'Awa', lastName: 'Lettre', phone: '77000001' };
  await page.goto(product.url);
  const { release } = await holdBack(page, '**/api/auth/signup');
  await sendSignUp(page, person);
  await expect(page.getByRole('button', { name: 'Inscription...' })).toBeVisible();
  release();
  await expectToast(page, 'Inscription réussie', 'Un code de vérification vous a été envoyé par SMS.');
  await expect(page).toHaveURL(`${product.url}/otp-verification`);
  await expect(page.getByRole('heading', { name: 'Vérification par SMS' })).toBeVisible();
  expect(await stored(page, 'pendingVerificationPhone')).toBe(`+226${person.phone}`);
  expect(await stored(page, 'guichet_user')).toBeNull();

  const code = await product.readCode(`+226${person.phone}`);
  await expect(page.getByLabel('Chiffre 1')).toBeFocused();
  await page.keyboard.type(code);
  await expectToast(page, 'Vérification réussie', 'Bienvenue Awa!');
  await expect(page.getByRole('heading', { name: 'Bonjour Awa' })).toBeVisible();
  await expect(page).toHaveURL(atHome(product.url));
  expect(await stored(page, 'pendingVerificationPhone')).toBeNull();
  expect(JSON.parse((await stored(page, 'guichet_user')) ?? '')).toMatchObject({ firstName: 'Awa', isVerified: true });
});

test("P4.9, P4.10, sign-in and guest: Connexion..., Connexion réussie / Bienvenue {firstName}!, Accès invité / Vous naviguez en tant qu'invité., and /", async ({
  page,
  product,
}) => {
  const person = { firstName: 'Moussa', lastName: 'Lettre', phone: '77000002' };
  await makeAccount(product, person);
  for (const [url, button, title, text, user] of [
    ['guest', "Continuer en tant qu'invité", 'Accès invité', "Vous naviguez en tant qu'invité.", { isGuest: true }],
    ['signin', 'Se connecter', 'Connexion réussie', 'Bienvenue Moussa!', { firstName: 'Moussa', isGuest: false }],
  ] as const) {
    await page.goto(`${product.url}/auth`);
    const { release } = await holdBack(page, `**/api/auth/${url}`);
    await page.getByLabel('Téléphone ou e-mail').fill(person.phone);
    await page.getByLabel('Mot de passe', { exact: true }).fill(password);
    await page.getByRole('button', { name: button }).click();
    await expect(page.getByRole('button', { name: 'Connexion...' })).toBeVisible();
    release();
    await expectToast(page, title, text);
    await expect(page).toHaveURL(atHome(product.url));
    await expect(page.getByRole('heading', { name: `Bonjour ${user.isGuest ? 'Invité' : 'Moussa'}` })).toBeVisible();
    expect(JSON.parse((await stored(page, 'guichet_user')) ?? '')).toMatchObject(user);
  }
});

test('P4.7, P4.8, sign-in and sign-up: what is required, six characters, equal passwords, an e-mail that is one; nothing is sent', async ({
  page,
  product,
}) => {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(new URL(request.url()).pathname);
  });
  const says = (label: string, sentence: string) =>
    expect(page.getByLabel(label, { exact: true })).toHaveAccessibleDescription(sentence);
  await page.goto(product.url);
  await page.getByRole('button', { name: 'Se connecter' }).click();
  await says('Téléphone ou e-mail', 'Saisissez votre numéro de téléphone ou votre e-mail.');
  await says('Mot de passe', 'Saisissez votre mot de passe.');

  await page.getByRole('tab', { name: 'Inscription' }).click();
  const send = page.getByRole('button', { name: "S'inscrire" });
  await send.click();
  for (const label of ['Prénom', 'Nom']) await says(label, 'Ce champ est requis.');
  await says('Téléphone', 'Saisissez votre numéro de téléphone.');
  const short = 'Le mot de passe doit contenir au moins 6 caractères.';
  await says('Mot de passe', short);
  await says('Confirmer le mot de passe', 'Confirmez le mot de passe.');
  await expect(page.getByLabel('E-mail (facultatif)')).not.toHaveAttribute('aria-invalid');

  await page.getByLabel('Prénom').fill('Awa');
  await page.getByLabel('Nom', { exact: true }).fill('Lettre');
  await page.getByLabel('Téléphone', { exact: true }).fill('77000003');
  await page.getByRole('button', { name: 'Ajouter un e-mail' }).click();
  await page.getByLabel('E-mail (facultatif)').fill('awa');
  await page.getByLabel('Mot de passe', { exact: true }).fill('12345');
  await page.getByLabel('Confirmer le mot de passe').fill('12345');
  await send.click();
  await says('Confirmer le mot de passe', short);
  await says('E-mail (facultatif)', "Cette adresse e-mail n'est pas valide.");
  await says('Mot de passe', short);
  await page.getByLabel('Mot de passe', { exact: true }).fill('1234567');
  await page.getByLabel('Confirmer le mot de passe').fill('123456');
  await page.getByLabel('E-mail (facultatif)').fill('');
  await send.click();
  await says('Confirmer le mot de passe', 'Les mots de passe ne correspondent pas.');
  await expect(page.getByLabel('Mot de passe', { exact: true })).not.toHaveAttribute('aria-invalid');
  await expect(page.getByLabel('E-mail (facultatif)')).not.toHaveAttribute('aria-invalid');
  expect(sent.filter((path) => path.startsWith('/api/auth/'))).toEqual([]);
});

test("P4.11, failures of sign-up, sign-in and guest: the server's message, or the screen's own", async ({
  page,
  product,
  provoke,
}) => {
  provoke('500 /api/auth/');
  await page.goto(product.url);
  const ways = [
    {
      url: '**/api/auth/signin',
      title: 'Erreur de connexion',
      fallback: 'Identifiants incorrects.',
      send: () => sendSignIn(page, '77000004'),
    },
    {
      url: '**/api/auth/guest',
      title: 'Erreur',
      fallback: "Impossible d'accéder en mode invité.",
      send: () => page.getByRole('button', { name: "Continuer en tant qu'invité" }).click(),
    },
    {
      url: '**/api/auth/signup',
      title: "Erreur d'inscription",
      fallback: "Une erreur est survenue lors de l'inscription.",
      send: () => sendSignUp(page, { firstName: 'Awa', lastName: 'Lettre', phone: '77000004' }),
    },
  ];
  for (const way of ways) {
    await expectRefusalShown(page, way);
    await closeMessage(page);
    // The reason of a refused sign-in stays until the next try.
    if (way.url.endsWith('signin')) await expect(page.getByRole('main').getByText(ownWords)).toBeVisible();
  }
  await expect(page).toHaveURL(`${product.url}/`);
});
