import type { Route } from '@playwright/test';
import { untilAnswered } from './answers.ts';
import { expect, test } from './fixtures.ts';
import { choosePayment, drillDown, enterAs, signInAsAdministrator } from './steps.ts';

test.use({ serviceWorkers: 'allow' });

const toSchool = ['Factures et paiements', 'Scolarité', 'Inscription universitaire'];

test('a double tap on confirm sends one request', async ({ page, product }) => {
  await enterAs(page, product, { firstName: 'Adama', lastName: 'Bah', phone: '71000003' });
  await drillDown(page, toSchool);
  await page.getByLabel('Numéro du bénéficiaire').fill('71 23 45 67');
  await choosePayment(page, 'Wave');
  await expect(page.getByTestId('total')).toHaveText(/^15.300\sFCFA$/);
  let sent = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/tickets')) sent += 1;
  });
  await page.getByRole('button', { name: 'Confirmer la demande' }).dblclick();
  await expect(page.getByRole('dialog', { name: 'Demande créée avec succès' })).toBeVisible();
  expect(sent).toBe(1);
});

test('a price that changed meanwhile is shown, and confirmed only once seen', async ({
  page,
  browser,
  product,
  provoke,
}) => {
  provoke('409 /api/tickets');
  await enterAs(page, product, { firstName: 'Binta', lastName: 'Sall', phone: '71000004' });
  await drillDown(page, ['Factures et paiements', 'Télévision', 'Bouquet Évasion']);
  await page.getByLabel('Numéro du bénéficiaire').fill('71 23 45 67');
  await choosePayment(page, 'Wave');
  await expect(page.getByTestId('total')).toHaveText(/^10.150\sFCFA$/);

  const admin = await browser.newPage();
  await signInAsAdministrator(admin, product);
  const changed = await admin.evaluate(async () => {
    const services = (await (await fetch('/api/admin/services')).json()) as { id: number; name: string }[];
    const form = new FormData();
    form.set('data', JSON.stringify({ price: '12 000 FCFA' }));
    const id = services.find((service) => service.name === 'Bouquet Évasion')?.id;
    return (await fetch(`/api/admin/services/${id}`, { method: 'PUT', body: form })).status;
  });
  expect(changed).toBe(200);
  await admin.close();

  await page.getByRole('button', { name: 'Confirmer la demande' }).click();
  await expect(page.getByText('Le prix a changé.')).toBeVisible();
  await expect(page.getByTestId('total')).toHaveText(/^12.150\sFCFA$/);
  await page.getByRole('button', { name: 'Confirmer la demande' }).click();
  await expect(page.getByRole('dialog', { name: 'Demande créée avec succès' })).toContainText('12150#');
});

test("what a proxy says in the server's place is no answer: twice in a row, the app says that there is no line", async ({
  page,
  product,
  provoke,
}) => {
  provoke('500 /api/', '502 /api/');
  const bar = page.getByText(/^Hors ligne/);
  await enterAs(page, product, { firstName: 'Salif', lastName: 'Ba', phone: '71000009' });
  await page.getByRole('link', { name: 'Paramètres' }).click();
  const answer = async (fulfilment: Parameters<Route['fulfill']>[0]) => {
    await page.unroute('**/api/**');
    await page.route('**/api/**', (route) => route.fulfill(fulfilment));
  };
  // Any number of the server's own refusals.
  await answer({ status: 500, json: { code: 'INTERNAL', message: 'Erreur interne' } });
  await page.getByRole('link', { name: 'Notifications' }).click();
  await expect(page.getByText('Impossible de charger vos notifications.')).toBeVisible();
  const tryTwice = async () => {
    for (let tries = 0; tries < 2; tries += 1) {
      const refused = page.waitForResponse('**/api/notifications/**');
      await page.getByRole('button', { name: 'Réessayer' }).click();
      await refused;
      await untilAnswered(page);
    }
  };
  await tryTwice();
  await expect(bar).toHaveCount(0);
  await answer({ status: 502, contentType: 'text/html', body: '<h1>502 Bad Gateway</h1>' });
  await tryTwice();
  await expect(bar).toBeVisible();
  await page.unroute('**/api/**');
  // The button may be gone by then: the app looks for the line by itself.
  await page.getByRole('link', { name: 'Accueil' }).click();
  await expect(bar).toHaveCount(0);
});

test("the operator's background is drawn behind everything, at its opacity and blur", async ({
  page,
  browser,
  product,
}) => {
  const admin = await browser.newPage();
  await signInAsAdministrator(admin, product);
  const saved = await admin.evaluate(async () => {
    const canvas = new OffscreenCanvas(40, 40);
    canvas.getContext('2d')?.fillRect(0, 0, 40, 40);
    const form = new FormData();
    form.set(
      'background',
      new File([await canvas.convertToBlob({ type: 'image/png' })], 'fond.png', { type: 'image/png' }),
    );
    const upload = await fetch('/api/admin/upload-background', { method: 'POST', body: form });
    const { url } = (await upload.json()) as { url: string };
    const send = (body: object) =>
      fetch('/api/admin/background-settings', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    return (await send({ backgroundImage: url, opacity: 40, blur: 3 })).status;
  });
  expect(saved).toBe(200);
  // It is deleted below, which a page that asks for it later would complain of.
  const drawn = page.waitForResponse(/\/uploads\//);
  await page.goto(product.url);
  const background = page.getByTestId('page-background');
  await expect(background).toHaveCSS('opacity', '0.4');
  await expect(background).toHaveCSS('filter', 'blur(3px)');
  await expect(background).toHaveCSS('pointer-events', 'none');
  await drawn;
  await admin.evaluate(() =>
    fetch('/api/admin/background-settings', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    }),
  );
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Connexion' })).toBeVisible();
  await expect(background).toHaveCount(0);
  await admin.close();
});
