import { expect, test } from './fixtures.ts';
import { expectFailure } from './messages.ts';
import { password } from './people.ts';
import {
  choosePayment,
  confirmOrder,
  drillDown,
  enterAs,
  enterAsGuest,
  enterCode,
  fillSignUp,
  loseOneAnswer,
  outside,
  sendSignUp,
  slowDown,
} from './steps.ts';

test.use({ serviceWorkers: 'allow' });

const toSchool = ['Factures et paiements', 'Scolarité', 'Inscription universitaire'];

test('sign-up on a slow line with two answers lost: nothing typed is lost, and no finished step is left to go back to @slow', async ({
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

test("a guest's order: to the sign-in and back without one, then by a sign-up, and back goes to the catalogue @slow", async ({
  page,
  product,
}) => {
  const person = { firstName: 'Djeneba', lastName: 'Coulibaly', phone: '73000002' };
  await page.goto(outside);
  await enterAsGuest(page, product);
  await slowDown(page);
  await drillDown(page, toSchool);
  await page.getByLabel('Numéro du bénéficiaire').fill('73 22 33 44');
  await choosePayment(page, 'Moov Money');
  await expect(page.getByTestId('total')).toHaveText(/^15.300\sFCFA$/);
  const confirm = page.getByRole('button', { name: 'Confirmer la demande' });
  await confirm.click();
  await expect(page.getByText('Connexion requise')).toBeVisible();
  await expect(page).toHaveURL(`${product.url}/auth`);
  // A guest has no account, and going on as one would lead round (P4.18).
  await expect(page.getByText('Il faut un compte pour envoyer une demande.')).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Inscription' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('button', { name: "Continuer en tant qu'invité" })).toBeHidden();
  await page.getByRole('button', { name: 'Retour' }).click();
  await expect(page.getByLabel('Numéro du bénéficiaire')).toHaveValue('73 22 33 44');
  await confirm.click();
  await fillSignUp(page, person);
  await expect(page.getByLabel('Chiffre 1')).toBeFocused();
  await page.keyboard.type(await product.readCode(`+226${person.phone}`));
  await expect(page.getByLabel('Numéro du bénéficiaire')).toHaveValue('73 22 33 44');
  await expect(page.getByTestId('total')).toHaveText(/^15.300\sFCFA$/);
  await loseOneAnswer(page, '**/api/tickets');
  await confirm.click();
  await expect(page.getByText('Pas de réponse du réseau.')).toBeVisible();
  await confirm.click();
  await expect(page.getByRole('dialog', { name: 'Demande créée avec succès' })).toBeVisible();
  await expect(page.getByText('Pas de réponse du réseau.')).toBeHidden();
  await page.getByRole('button', { name: 'Fermer', exact: true }).click();
  await expect(page.getByRole('heading', { name: /^Ticket n°/ })).toHaveCount(1);

  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Scolarité - Services' })).toBeVisible();
  // The arrow goes back in the history like the phone's button, so that neither descends again.
  await page.getByRole('button', { name: 'Retour' }).click();
  await expect(page.getByRole('heading', { name: 'Factures et paiements - Services' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Bonjour Djeneba' })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(outside);
});

test('an order of a person, to its end: back leads out of it, and an address opened anew leads up @slow', async ({
  page,
  product,
}) => {
  await enterAs(page, product, { firstName: 'Boukary', lastName: 'Sanou', phone: '73000003' });
  await page.goto(outside);
  await slowDown(page);
  await page.goto(product.url);
  await drillDown(page, toSchool);
  await confirmOrder(page, { beneficiary: '71 23 45 67', total: /^15.300\sFCFA$/ });
  await page.getByRole('button', { name: "Retour à l'accueil" }).click();
  await expect(page.getByRole('heading', { name: 'Bonjour Boukary' })).toBeVisible();
  for (const heading of ['Scolarité - Services', 'Factures et paiements - Services', 'Bonjour Boukary']) {
    await page.goBack();
    await expect(page.getByRole('heading', { name: heading })).toBeVisible();
  }
  await page.goBack();
  await expect(page).toHaveURL(outside);

  await page.goto(product.url);
  await page.getByRole('button', { name: /Banque et épargne/ }).click();
  await expect(page.getByRole('heading', { name: 'Banque et épargne - Services' })).toBeVisible();
  const level = page.url();
  await page.goto(outside);
  await page.goto(level);
  await page.getByRole('button', { name: 'Retour' }).click();
  await expect(page.getByRole('heading', { name: 'Bonjour Boukary' })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(outside);
});

test('a forgotten password: the number comes along, and after the new one back leaves the app @slow', async ({
  page,
  product,
  provoke,
}) => {
  provoke('401 /api/');
  const person = { firstName: 'Alima', lastName: 'Zerbo', phone: '73000004' };
  await enterAs(page, product, person);
  await page.context().clearCookies();
  await page.evaluate(() => localStorage.clear());
  await page.goto(outside);
  await slowDown(page);
  await page.goto(product.url);
  await page.getByLabel('Téléphone ou e-mail').fill(person.phone);
  await page.getByRole('link', { name: 'Mot de passe oublié ?' }).click();
  await expect(page.getByLabel('Numéro de téléphone')).toHaveValue(person.phone);
  await page.getByRole('button', { name: 'Envoyer le code' }).click();
  await expect(page.getByText('+226 XX XX XX 04')).toBeVisible();
  await expect(page.getByLabel('Chiffre 1')).toBeFocused();
  await page.keyboard.type(await product.readCode(`+226${person.phone}`));
  await expect(page.getByRole('heading', { name: 'Nouveau mot de passe' })).toBeVisible();
  // The code is spent: the previous screen is its request.
  await page.goBack();
  await expect(page.getByLabel('Numéro de téléphone')).toHaveValue(person.phone);
  await page.goForward();
  await page.getByLabel('Nouveau mot de passe').fill('autre-secret');
  await page.getByLabel('Confirmer le mot de passe').fill('autre-secret');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await expect(page.getByText('Mot de passe réinitialisé')).toBeVisible();
  await expect(page.getByLabel('Téléphone ou e-mail')).toHaveValue('+226 73 00 00 04');
  await page.getByLabel('Mot de passe', { exact: true }).fill('autre-secret');
  await loseOneAnswer(page, '**/api/auth/signin');
  await page.getByRole('button', { name: 'Se connecter' }).click();
  await expectFailure(page, 'Erreur de connexion', 'Pas de réponse du réseau.');
  await page.getByRole('button', { name: 'Se connecter' }).click();
  await expect(page.getByRole('heading', { name: 'Bonjour Alima' })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(outside);
});

test('what was typed outlasts the other tab and the terms; passwords are kept in memory alone @slow', async ({
  page,
  product,
}) => {
  await page.goto(product.url);
  await slowDown(page);
  await page.getByLabel('Téléphone ou e-mail').fill('70 11 22 33');
  await page.getByLabel('Mot de passe', { exact: true }).fill('premier-secret');
  await page.getByRole('tab', { name: 'Inscription' }).click();
  await page.getByLabel('Prénom').fill('Awa');
  await page.getByLabel('Indicatif du pays').selectOption('+225');
  await page.getByLabel('Téléphone', { exact: true }).fill('07 01 23 45 67');
  await page.getByLabel('Mot de passe', { exact: true }).fill('second-secret');
  await page.getByRole('tab', { name: 'Connexion' }).click();
  await expect(page.getByLabel('Téléphone ou e-mail')).toHaveValue('70 11 22 33');
  await expect(page.getByLabel('Mot de passe', { exact: true })).toHaveValue('premier-secret');
  await page.getByRole('tab', { name: 'Inscription' }).click();
  await page.getByRole('link', { name: "Conditions d'utilisation" }).click();
  await expect(page.getByRole('heading', { level: 1, name: /Conditions/ })).toBeVisible();
  await page.getByRole('button', { name: 'Retour' }).click();
  const whole = async (secret: string) => {
    await expect(page.getByLabel('Prénom')).toHaveValue('Awa');
    await expect(page.getByLabel('Indicatif du pays')).toHaveValue('+225');
    await expect(page.getByLabel('Téléphone', { exact: true })).toHaveValue('07 01 23 45 67');
    await expect(page.getByLabel('Mot de passe', { exact: true })).toHaveValue(secret);
  };
  await whole('second-secret');
  const kept = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
  expect(kept).toContain('07 01 23 45 67');
  expect(kept).not.toContain('secret');
  await page.reload();
  await whole('');
});

test('a number that has an account is told at its field, and leads to signing in with it @slow', async ({
  page,
  product,
  provoke,
}) => {
  provoke('401 /api/', '409 /api/auth/signup');
  const person = { firstName: 'Nana', lastName: 'Kafando', phone: '73000005' };
  await enterAs(page, product, person);
  await page.context().clearCookies();
  await page.evaluate(() => localStorage.clear());
  await page.goto(product.url);
  await slowDown(page);
  await sendSignUp(page, person);
  const phone = page.getByLabel('Téléphone', { exact: true });
  await expect(phone).toHaveAccessibleDescription('Ce numéro est déjà utilisé.');
  await expect(phone).toBeFocused();
  await page.getByRole('button', { name: 'Se connecter' }).click();
  await expect(page.getByRole('tab', { name: 'Connexion' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByLabel('Téléphone ou e-mail')).toHaveValue('+226 73 00 00 05');
  await page.getByLabel('Mot de passe', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Se connecter' }).click();
  await expect(page.getByRole('heading', { name: 'Bonjour Nana' })).toBeVisible();
});

test('a sign-up that changed is another one, and who came in leaves nothing typed behind @slow', async ({
  page,
  product,
}) => {
  const person = { firstName: 'Paul', lastName: 'Ilboudo', phone: '73000006' };
  await page.goto(product.url);
  const keys: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/auth/signup')) keys.push(request.headers()['idempotency-key']);
  });
  await page.route('**/api/auth/signup', (route) => route.abort(), { times: 1 });
  await sendSignUp(page, person);
  await expect(page.getByText('Pas de réponse du réseau.')).toBeVisible();
  await page.getByLabel('Prénom').fill('Paulin');
  await page.getByRole('button', { name: "S'inscrire" }).click();
  await enterCode(page, product, { ...person, firstName: 'Paulin' });
  expect(new Set(keys).size).toBe(2);
  expect(await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.includes('typed')))).toEqual([]);
});
