import { request } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { password } from './people.ts';
import { confirmOrder, drillDown, enterCode, fillSignUp, signIn, toBundle } from './steps.ts';

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

test('where storage is refused, a person signs up, signs in and orders, and reads that nothing is kept', async ({
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
  await expect(page.getByText(notice)).toBeVisible();
  await enterCode(page, product, person);
  await page.getByRole('link', { name: 'Paramètres' }).click();
  await page.getByRole('button', { name: 'Se déconnecter' }).click();
  await expect(page).toHaveURL(`${product.url}/auth`);
  await signIn(page, product, person.phone, password, 'Bonjour Awa');
  await drillDown(page, toBundle);
  await expect(page.getByText(notice)).toBeVisible();
  const code = await confirmOrder(page, { beneficiary: '70 12 34 56', total: /^1.050\sFCFA$/ });
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

test('where cookies are blocked, the sign-in says that they are needed, before and after', async ({
  page,
  product,
  provoke,
}) => {
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
  await page.getByLabel('Téléphone ou e-mail').fill(product.administrator.phone);
  await page.getByLabel('Mot de passe', { exact: true }).fill(product.administrator.password);
  await page.getByRole('button', { name: 'Se connecter' }).click();
  await expect(page.getByText('Session expirée')).toBeVisible();
  await expect(sentence).toBeVisible();
});
