import { expect, test } from './fixtures.ts';
import { closeMessage, expectFailure } from './messages.ts';
import { choosePayment, confirmOrder, drillDown, enterAs, fillSignUp, signIn } from './steps.ts';

test.use({ serviceWorkers: 'allow' });

const toSchool = ['Factures et paiements', 'Scolarité', 'Inscription universitaire'];

test('an answer lost, the page dropped and opened again: still one ticket @slow', async ({ page, product }) => {
  await enterAs(page, product, { firstName: 'Fanta', lastName: 'Cissé', phone: '72000001' });
  await drillDown(page, toSchool);
  await page.getByLabel('Numéro du bénéficiaire').fill('71 23 45 67');
  await choosePayment(page, 'Orange Money');
  await expect(page.getByTestId('total')).toHaveText(/^15.300\sFCFA$/);
  await page.route('**/api/tickets', async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
  await page.getByRole('button', { name: 'Confirmer la demande' }).click();
  await expect(page.getByText('Pas de réponse du réseau.')).toBeVisible();
  await page.unroute('**/api/tickets');
  await page.reload();
  await confirmOrder(page, { beneficiary: '71 23 45 67', total: /^15.300\sFCFA$/ });
  await page.getByRole('button', { name: 'Fermer', exact: true }).click();
  await expect(page.getByRole('heading', { name: /^Ticket n°/ })).toHaveCount(1);
});

test('the answer to the right code is lost: the person is told to sign in, and can @slow', async ({
  page,
  product,
  provoke,
}) => {
  provoke('409 /api/auth/verify-otp');
  const person = { firstName: 'Idrissa', lastName: 'Kaboré', phone: '72000002' };
  await page.goto(product.url);
  await fillSignUp(page, person);
  await page.route('**/api/auth/verify-otp', async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
  const before = await page.context().cookies();
  const code = await product.readCode(`+226${person.phone}`);
  await page.getByLabel('Chiffre 1').fill(code);
  await expectFailure(page, 'Erreur de vérification', 'Pas de réponse du réseau.');
  await expect(page.getByLabel('Chiffre 1')).toHaveValue(code.slice(0, 1));
  await page.unroute('**/api/auth/verify-otp');
  // The cookies of the lost answer are lost too.
  await page.context().clearCookies();
  await page.context().addCookies(before);
  await page.getByRole('button', { name: 'Vérifier' }).click();
  await expect(page.getByText('Ce numéro est déjà vérifié. Connectez-vous.')).toBeVisible();
  await signIn(page, product, person.phone, 'secret-123', 'Bonjour Idrissa');
});

test('going from tab to tab asks for nothing twice that does not change @slow', async ({ page, product }) => {
  await enterAs(page, product, { firstName: 'Yacouba', lastName: 'Sana', phone: '72000003' });
  await expect(page.getByRole('button', { name: /Banque et épargne/ })).toBeVisible();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  for (const tab of ['Paramètres', 'Accueil', 'Tickets', 'Accueil'])
    await page.getByRole('link', { name: tab }).click();
  await expect(page.getByRole('button', { name: /Banque et épargne/ })).toBeVisible();
  expect(asked.filter((path) => path === '/api/services' || path === '/api/init-data')).toEqual([]);
});

test('an answer about who was signed in before changes nothing for who is now @slow', async ({ page, product }) => {
  await enterAs(page, product, { firstName: 'Awa', lastName: 'Diop', phone: '72000004' });
  await page.getByRole('link', { name: 'Paramètres' }).click();
  await page.getByRole('button', { name: 'Se déconnecter' }).click();
  await page.getByRole('button', { name: "Continuer en tant qu'invité" }).click();
  await expect(page.getByRole('heading', { name: 'Bonjour Invité' })).toBeVisible();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/auth/me', async (route) => {
    const answer = await route.fetch();
    await held;
    await route.fulfill({ response: answer });
  });
  const answered = page.waitForResponse('**/api/auth/me');
  await page.goto(`${product.url}/auth`);
  await page.getByLabel('Téléphone ou e-mail').fill('72000004');
  await page.getByLabel('Mot de passe', { exact: true }).fill('secret-123');
  await page.getByRole('button', { name: 'Se connecter' }).click();
  await expect(page.getByRole('heading', { name: 'Bonjour Awa' })).toBeVisible();
  release();
  await (await answered).finished();
  await expect(page.getByRole('heading', { name: 'Bonjour Awa' })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('guichet_user'))).toContain('"Awa"');
});

test('the focus goes where a keyboard goes on: the wrong field, the new heading, back to what opened a dialog @slow', async ({
  page,
  product,
}) => {
  await page.goto(product.url);
  await page.getByRole('tab', { name: 'Inscription' }).click();
  await page.getByLabel('Prénom').fill('Lamine');
  await page.getByRole('button', { name: "S'inscrire" }).click();
  await expect(page.getByLabel('Nom', { exact: true })).toBeFocused();
  await enterAs(page, product, { firstName: 'Lamine', lastName: 'Faye', phone: '72000005' });
  await page.getByRole('button', { name: /Banque et épargne/ }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Banque et épargne - Services' })).toBeFocused();
  await page.goto(product.url);
  await drillDown(page, toSchool);
  await confirmOrder(page, { beneficiary: '71 23 45 67', total: /^15.300\sFCFA$/ });
  await page.getByRole('dialog').getByRole('button', { name: 'Copier' }).click();
  await expect(page.getByRole('dialog').getByRole('status')).toContainText('Code copié');
  await closeMessage(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('heading', { name: 'Mes Tickets' })).toBeVisible();
});

test('a reload keeps the time until the next code, and a level that is gone leads home @slow', async ({
  page,
  product,
}) => {
  await page.goto(product.url);
  await page.clock.install();
  await fillSignUp(page, { firstName: 'Zara', lastName: 'Maïga', phone: '72000006' });
  const button = page.getByRole('button', { name: /^Renvoyer le code dans \d+ secondes$/ });
  const left = async () => Number(/\d+/.exec((await button.textContent()) ?? '')?.[0]);
  const before = await left();
  await page.clock.runFor(20_000);
  await expect.poll(left).toBeLessThanOrEqual(before - 20);
  const kept = await left();
  await page.reload();
  // Read once: a countdown that began anew would come down to it too.
  expect(await left()).toBeLessThanOrEqual(kept);
  await page.goto(product.url);
  await page.getByRole('button', { name: "Continuer en tant qu'invité" }).click();
  await expect(page.getByRole('heading', { name: 'Bonjour Invité' })).toBeVisible();
  await page.goto(`${product.url}/?dans=999999`);
  await expect(page.getByRole('heading', { name: 'Bonjour Invité' })).toBeVisible();
  await expect(page).toHaveURL(`${product.url}/`);
});

test('a screen opened anew starts at its top, also after going back; two families stand side by side on every phone @slow', async ({
  page,
  product,
}) => {
  await page.setViewportSize({ width: 320, height: 480 });
  await enterAs(page, product, { firstName: 'Habib', lastName: 'Sylla', phone: '72000007' });
  await expect(page.getByRole('button', { name: /Télécom et mobile/ })).toBeVisible();
  const columns = () =>
    page.evaluate(
      () => getComputedStyle(document.querySelector('main ul') as Element).gridTemplateColumns.split(' ').length,
    );
  for (const width of [320, 344, 360, 412, 600, 767]) {
    await page.setViewportSize({ width, height: 480 });
    await expect.poll(columns, `at ${width} px`).toBe(2);
  }
  // With larger text, home is longer than the screen.
  await page.setViewportSize({ width: 320, height: 480 });
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
  await page.getByRole('button', { name: /Télécom et mobile/ }).click();
  await expect(page.getByRole('heading', { name: 'Télécom et mobile - Services' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Nos Services' })).toBeVisible();
  await page.evaluate(() => scrollTo(0, 300));
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(100);
  await page.getByRole('link', { name: 'Paramètres' }).click();
  await expect(page.getByRole('heading', { name: 'Paramètres' })).toBeInViewport();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await page.goto(`${product.url}/Settings/`);
  await expect(page.getByRole('heading', { name: 'Paramètres' })).toBeVisible();
});
