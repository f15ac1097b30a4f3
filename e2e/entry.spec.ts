import { request } from '@playwright/test';
import { failureCatalogue } from '#contract/failure.ts';
import { untilAnswered } from './answers.ts';
import { expect, test } from './fixtures.ts';
import { expectToast } from './messages.ts';
import { makeAccount } from './people.ts';
import {
  confirmOrder,
  drillDown,
  enterAs,
  enterAsGuest,
  enterCode,
  fillSignUp,
  sendSignIn,
  stored,
  toBundle,
} from './steps.ts';

test('addresses that need something send away who does not have it', async ({ page, product, provoke }) => {
  provoke('404 /api/content-pages/nulle-part');
  const arrivals = {
    '/summary': '/',
    '/otp-verification': '/auth',
    '/forgot-password-otp': '/forgot-password',
    '/reset-password': '/forgot-password',
    '/tickets': '/auth',
    '/ticket/1': '/auth',
    '/notifications': '/auth',
    '/settings': '/auth',
    '/admin': '/',
  };
  for (const [from, to] of Object.entries(arrivals)) {
    await page.goto(product.url + from);
    await expect(page, `from ${from}`).toHaveURL(product.url + to);
  }
  // What does not exist says so, and leads back.
  await page.goto(`${product.url}/content/nulle-part`);
  await expect(page.getByRole('heading', { name: 'Page non trouvée', exact: true })).toBeVisible();
  await page.getByRole('link', { name: "Retour à l'accueil" }).click();
  await expect(page.getByRole('tab', { name: 'Connexion' })).toBeVisible();
});

test('a forged or broken stored user opens nothing', async ({ page, product, provoke }) => {
  // The panel, too, may ask before the server has said who this is.
  provoke('401 /api/');
  await page.goto(product.url);
  const forged = { id: 1, firstName: '<script>alert(1)</script>', lastName: '', isAdmin: true, isGuest: false };
  await page.evaluate((user) => localStorage.setItem('guichet_user', JSON.stringify(user)), forged);
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Connexion' })).toBeVisible();
  expect(await stored(page, 'guichet_user')).toBeNull();
  await page.evaluate(() => localStorage.setItem('guichet_user', '{"id":"1"}'));
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Connexion' })).toBeVisible();
  expect(await stored(page, 'guichet_user')).toBeNull();
});

test('code boxes: typing, backspace, a pasted code; a wrong one, and a second one', async ({
  page,
  product,
  provoke,
}) => {
  provoke('400 /api/auth/verify-otp', '403 /api/auth/');
  const person = { firstName: 'Ali', lastName: 'Barry', phone: '70889900' };
  await page.goto(product.url);
  await fillSignUp(page, person);
  // Who signs in before verifying gets this screen again.
  await page.evaluate(() => localStorage.clear());
  await page.goto(product.url);
  await page.getByRole('tab', { name: 'Connexion' }).click();
  await sendSignIn(page, person.phone);
  await expect(page.getByRole('heading', { name: 'Vérification par SMS' })).toBeVisible();
  // The next step is no failure.
  await expectToast(page, 'Erreur de connexion');
  const right = await product.readCode(`+226${person.phone}`);
  const verify = page.getByRole('button', { name: 'Vérifier' });
  await expect(page.getByLabel('Chiffre 1')).toBeFocused();
  await page.keyboard.type('12');
  await expect(page.getByLabel('Chiffre 3')).toBeFocused();
  await expect(verify).toBeDisabled();
  await page.keyboard.press('Backspace');
  await expect(page.getByLabel('Chiffre 2')).toBeFocused();
  await page.getByLabel('Chiffre 1').evaluate(
    (box, code) => {
      const data = new DataTransfer();
      data.setData('text', ` ${code.slice(0, 2)} ${code.slice(2)} `);
      box.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    },
    right === '1111' ? '2222' : '1111',
  );
  await expect(page.getByText('Erreur de vérification')).toBeVisible();
  await expect(page.getByLabel('Chiffre 1')).toHaveValue('');
  await expect(page.getByRole('button', { name: /Renvoyer le code dans/ })).toBeDisabled();
  const [status, message] = failureCatalogue.SECOND_CODE;
  const json = { code: 'SECOND_CODE', message, retryAfter: 120 };
  await page.route('**/api/auth/verify-otp', (route) => route.fulfill({ status, json }), { times: 1 });
  await page.getByLabel('Chiffre 1').fill(right);
  await expect(page.getByText('un second code vient de vous être envoyé : saisissez-le')).toBeVisible();
  await expect(page.getByLabel('Chiffre 1')).toBeFocused();
  for (const digit of [1, 2, 3, 4]) await expect(page.getByLabel(`Chiffre ${digit}`)).toHaveValue('');
  await expect(page.getByRole('button', { name: /Renvoyer le code dans (2 minutes|1\d\d secondes)/ })).toBeDisabled();
  await page.keyboard.type(right);
  await expect(page.getByRole('heading', { name: 'Bonjour Ali' })).toBeVisible();
});

test('at an account that is guessed at, an unknown browser is led to the reset by SMS', async ({
  page,
  product,
  provoke,
}) => {
  provoke('429 /api/auth/signin');
  await page.goto(product.url);
  const [status, message] = failureCatalogue.RESET_NEEDED;
  await page.route('**/api/auth/signin', (route) => route.fulfill({ status, json: { code: 'RESET_NEEDED', message } }));
  await sendSignIn(page, '76 00 02 01');
  await expect(page.getByText(message)).toBeVisible();
  await expect(page).toHaveURL(`${product.url}/forgot-password`);
  await expect(page.getByLabel('Numéro de téléphone')).toHaveValue('76 00 02 01');
});

test('the order of whose session ended is seen by nobody else', async ({ page, product, provoke }) => {
  provoke('401 /api/');
  const other = { firstName: 'Rokia', lastName: 'Partage', phone: '79100002' };
  await makeAccount(product, other);
  await enterAs(page, product, { firstName: 'Oumou', lastName: 'Partage', phone: '79100001' });
  await drillDown(page, toBundle);
  await page.getByLabel('Numéro du bénéficiaire').fill('71 23 45 67');
  // A call of this screen would end the session first.
  await untilAnswered(page);
  await page.goto('about:blank');
  await page.context().clearCookies();
  await page.goto(`${product.url}/summary`);
  await expect(page.getByText('Session expirée')).toBeVisible();
  // The phone's next user.
  await page.goto(`${product.url}/summary`);
  await expect(page.getByRole('tab', { name: 'Connexion' })).toBeVisible();
  await expect(page.getByText('Forfait internet 7 jours')).toHaveCount(0);
  await sendSignIn(page, other.phone);
  await expect(page.getByRole('heading', { name: 'Bonjour Rokia' })).toBeVisible();
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('71 23 45 67');
});

test('without a line a sign-out ends all that is here, and the session later', async ({ page, product, provoke }) => {
  provoke('401 /api/');
  const isSignedIn = async () => (await page.request.get(`${product.url}/api/auth/me`)).ok();
  await page.clock.install();
  await enterAs(page, product, { firstName: 'Kadidia', lastName: 'Partage', phone: '79100003' });
  await page.goto(`${product.url}/settings`);
  const button = page.getByRole('button', { name: 'Se déconnecter' });
  await expect(button).toBeVisible();
  await page.context().setOffline(true);
  await button.click();
  await expect(page.getByText('Rien ne reste sur cet appareil ; la session sera fermée')).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Connexion' })).toBeVisible();
  expect(await stored(page, 'guichet_user')).toBeNull();
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  for (const of of ['guichet_kept:', 'guichet_order', 'Kadidia']) expect(kept).not.toContain(of);
  expect(await isSignedIn(), 'on the server, which could not be told').toBe(true);
  await page.context().setOffline(false);
  await page.clock.runFor(10_000);
  await expect.poll(() => isSignedIn()).toBe(false);
  await expect.poll(() => stored(page, 'guichet_leaving')).toBeNull();
});

const notice = /^Votre navigateur ne peut rien garder/;

/** A page that finds its storages refused. */
const refuseStorage = () => {
  for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(window, name, {
      get: () => {
        throw new DOMException('Access is denied for this document.', 'SecurityError');
      },
    });
};

test('where storage is refused, a person signs up and orders, and reads that nothing is kept', async ({
  page,
  product,
  provoke,
}) => {
  // Whether the session's cookie is there is asked at the start.
  const person = { firstName: 'Awa', lastName: 'Zongo', phone: '70118000' };
  provoke('401 /api/auth/me');
  await page.addInitScript(refuseStorage);
  await page.goto(product.url);
  await expect(page.getByText(notice)).toBeVisible();
  await fillSignUp(page, person);
  await enterCode(page, product, person);
  await drillDown(page, toBundle);
  await expect(page.getByText(notice)).toBeVisible();
  const code = await confirmOrder(page, { beneficiary: '76 12 34 56', total: /^1.050\sFCFA$/ });
  expect(code).toBe('*144*10*00000000*1050#');
  await page.getByRole('button', { name: 'Fermer', exact: true }).click();
  // The session's cookie is there: a reload goes on.
  await page.goto(product.url);
  await expect(page.getByRole('heading', { name: 'Bonjour Awa' })).toBeVisible();
  await page.getByRole('link', { name: 'Paramètres' }).click();
  await page.getByRole('button', { name: 'Affichage' }).click();
  await page.getByRole('radio', { name: 'Sombre' }).check();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test('where cookies are blocked, the sign-in says that they are needed', async ({ page, product, provoke }) => {
  provoke('401 /api/');
  const cookies = await page.context().newCDPSession(page);
  await cookies.send('Emulation.setDocumentCookieDisabled', { disabled: true });
  await page.addInitScript(refuseStorage);
  await page.route('**/api/auth/signin', async (route) => {
    // Sent by another: this browser keeps no cookie.
    const other = await request.newContext();
    const answer = await other.post(route.request().url(), { data: route.request().postDataJSON() });
    await route.fulfill({ status: answer.status(), contentType: 'application/json', body: await answer.text() });
    await other.dispose();
  });
  await page.goto(product.url);
  const sentence = page.getByText(/^Votre navigateur bloque les cookies\. Autorisez-les/);
  await expect(sentence).toBeVisible();
  await sendSignIn(page, product.administrator.phone, product.administrator.password);
  await expect(page.getByText('Session expirée')).toBeVisible();
  await expect(sentence).toBeVisible();
});

test('a screen that cannot be drawn says so and never leaves a blank page', async ({ page, product, provoke }) => {
  provoke('console: TypeError');
  await enterAsGuest(page, product);
  // An answer outside the contract: an intermediary's page, or a server of another version.
  await page.route('**/api/payment-types', (route) => route.fulfill({ json: { no: 'list' } }));
  for (const name of toBundle) await page.getByRole('main').getByRole('button', { name }).first().click();
  await expect(page.getByText("Cette page n'a pas pu être affichée.")).toBeVisible();
  await page.unroute('**/api/payment-types');
  await page.getByRole('button', { name: 'Réessayer' }).click();
  await expect(page.getByRole('heading', { name: 'Récapitulatif de la commande' })).toBeVisible();
});
