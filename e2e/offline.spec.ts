import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { BrowserContext, Page, Route } from '@playwright/test';
import { untilAnswered } from './answers.ts';
import { expect, test } from './fixtures.ts';
import { closeMessage } from './messages.ts';
import { makeAccount, type Person, password } from './people.ts';
import type { Product } from './product.ts';
import { confirmOrder, drillDown, enterAs, enterAsGuest, fillOrder, loseOneAnswer, stored, toBundle } from './steps.ts';

test.use({ serviceWorkers: 'allow' });

const person = (firstName: string, phone: string): Person => ({ firstName, lastName: 'Sawadogo', phone });
const offline = /^Hors ligne · données de \d\d:\d\d$/;

/** Waits until the service worker has cached its files and controls the next visit. */
async function untilInstalled(page: Page): Promise<void> {
  const state = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      if (registration?.active) return registration.active.state;
      return registration?.installing ? 'installing' : 'none';
    });
  await expect.poll(state, { message: 'the service worker', timeout: 90_000 }).toBe('activated');
}

function cached(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const names = await caches.keys();
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });
}

const keptKeys = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('guichet_kept:')));

/** Opens the app offline, from the browser's storage alone. */
async function reopen(context: BrowserContext, url: string): Promise<Page> {
  await context.setOffline(true);
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

test('home, a level and the tickets with their codes are there without a line; after a sign-out nothing of the person is', async ({
  page,
  product,
}) => {
  await enterAs(page, product, person('Awa', '70910001'));
  await page.getByRole('button', { name: /Télécom et mobile/ }).click();
  await expect(page.getByRole('heading', { name: 'Télécom et mobile - Services' })).toBeVisible();
  const level = page.url();
  await drillDown(page, ['Burkina Faso', 'Orange', 'Forfaits internet', 'Forfait internet 7 jours']);
  const code = await confirmOrder(page, { beneficiary: '76 12 34 56', total: /^1.050\sFCFA$/ });
  await page.getByRole('button', { name: 'Fermer', exact: true }).click();
  // With the new ticket: home had stored the earlier list.
  await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).toContain('beneficiaryPhoneNumber');
  await untilInstalled(page);
  await page.close();

  const context = page.context();
  const home = await reopen(context, product.url);
  await expect(home.getByRole('heading', { name: 'Bonjour Awa' })).toBeVisible();
  await expect(home.getByRole('button', { name: /Télécom et mobile/ })).toBeVisible();
  await expect(home.getByText(offline)).toBeVisible();

  await home.goto(level);
  await expect(home.getByRole('heading', { name: 'Télécom et mobile - Services' })).toBeVisible();
  await expect(home.getByRole('button', { name: /Burkina Faso/ })).toBeVisible();

  await home.goto(`${product.url}/tickets`);
  await expect(home.getByText('Forfait internet 7 jours').first()).toBeVisible();
  const digits = (text: string | null) => text?.replace(/\s/g, '') ?? '';
  await expect.poll(async () => digits(await home.getByRole('main').textContent())).toContain(digits(code));
  await expect(home.getByText(offline)).toBeVisible();
  await home.reload();
  await expect(home.getByText(offline)).toBeVisible();
  // Its own screen was never opened: the list has it.
  await home.getByRole('link', { name: /^Détails/ }).click();
  await expect(home.getByRole('heading', { name: /^Ticket n°/ })).toBeVisible();
  await expect(home.locator('.font-mono')).toHaveText(code);
  await expect(home.getByText('Demande créée')).toBeVisible();

  await context.setOffline(false);
  await expect(home.getByText(/^Hors ligne/)).toBeHidden();
  const files = await cached(home);
  expect(files.filter((file) => /^\/assets\/(?:tickets|summary|notifications|settings)-page-/.test(file))).toHaveLength(
    4,
  );
  expect(files.filter((file) => /^\/api|admin|-tab-|action-menu|chart/.test(file))).toEqual([]);
  expect((await keptKeys(home)).some((key) => key.includes('/api/tickets/'))).toBe(true);
  await home.getByRole('link', { name: 'Paramètres' }).click();
  await home.getByRole('button', { name: 'Se déconnecter' }).click();
  await expect(home.getByRole('tab', { name: 'Connexion' })).toBeVisible();
  expect(await keptKeys(home)).toEqual([]);
  expect(await home.evaluate(() => JSON.stringify(localStorage))).not.toContain('Awa');
  await home.close();

  const later = await reopen(context, product.url);
  await expect(later.getByText(/^Hors ligne/)).toBeVisible();
  await later.getByRole('tab', { name: 'Inscription' }).click();
  await expect(later.getByLabel('Prénom')).toBeVisible();
  // Nor does the next one in this browser see or leave anything of another.
  await context.setOffline(false);
  await enterAsGuest(later, product);
  const { id } = JSON.parse((await stored(later, 'guichet_user')) ?? '') as { id: number };
  await expect.poll(() => keptKeys(later)).not.toEqual([]);
  expect((await keptKeys(later)).filter((key) => !key.startsWith(`guichet_kept:${id}:`))).toEqual([]);
});

const hashOf = (page: string) => `sha256-${createHash('sha256').update(page).digest('base64')}`;

/**
 * A proxy before the product that can serve a newer version to later requests: another page with its `data-release`,
 * and its service worker.
 */
async function startRelease({ url }: Product) {
  let release = 1;
  const builtPage = await (await fetch(url)).text();
  const pageNow = () => builtPage.replace('<html ', `<html data-release="${release}" `);
  const workerNow = (built: string) =>
    built.replace(hashOf(builtPage), hashOf(pageNow())).replace('guichet-shell-', `guichet-shell-${release}-`);
  const server = createServer(async (request, response) => {
    const isPage = request.url === '/';
    const isOurs = isPage || request.url === '/service-worker.js';
    // Changed files come uncompressed and unconditionally.
    const headers = isOurs ? {} : request.headers;
    const asked = httpRequest(url + request.url, { method: request.method, headers }, async (answer) => {
      const { 'content-length': length, ...rest } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, isOurs || length === undefined ? rest : answer.headers);
      if (isOurs) return response.end(isPage ? pageNow() : workerNow(await text(answer)));
      for await (const piece of answer) response.write(piece);
      response.end();
    });
    request.pipe(asked);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    update: () => {
      release += 1;
    },
    async stop() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

test('a new version is offered, and changes nothing until it is asked for', async ({ page, product }) => {
  const release = await startRelease(product);
  const seen = () => page.evaluate(() => document.documentElement.dataset.release);
  const shells = async () => (await page.evaluate(() => caches.keys())).filter((name) => name.includes('shell'));
  await page.goto(release.url);
  await untilInstalled(page);
  const [old] = await shells();
  release.update();
  await page.reload();
  await page.getByLabel('Téléphone ou e-mail').fill('70 91 00 05');
  await page.getByLabel('Mot de passe', { exact: true }).fill(password);
  await expect(page.getByText('Nouvelle version disponible')).toBeVisible();
  await expect(page.getByLabel('Téléphone ou e-mail')).toHaveValue('70 91 00 05');
  // The new version waits, and all files of the old one are still cached.
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting?.state)).toBe(
    'installed',
  );
  expect(await shells()).toHaveLength(2);
  expect(await shells()).toContain(old);
  await page.reload();
  expect(await seen()).toBe('1');
  await page.getByRole('button', { name: 'Mettre à jour' }).click();
  await expect.poll(() => seen().catch(() => 'on its way')).toBe('2');
  await expect(page.getByRole('tab', { name: 'Connexion' })).toBeVisible();
  expect(await shells()).toHaveLength(1);
  expect(await shells()).not.toContain(old);
  await untilAnswered(page);
  await expect(page.getByText('Nouvelle version disponible')).toBeHidden();
  await page.close();
  await release.stop();
});

test('an order without a line, and one whose answer was lost: nothing typed is lost, nothing done twice', async ({
  page,
  product,
}) => {
  await enterAs(page, product, person('Balkissa', '70120001'));
  await drillDown(page, toBundle);
  await fillOrder(page, { beneficiary: '76 12 34 56', total: /^1.050\sFCFA$/ });
  const told = page
    .getByRole('alert')
    .filter({ hasText: 'Pas de réponse du réseau. Vérifiez votre connexion et réessayez.' });
  const confirm = page.getByRole('button', { name: 'Confirmer la demande' });
  const { user } = await (await page.request.get(`${product.url}/api/auth/me`)).json();
  const tickets = async () => (await page.request.get(`${product.url}/api/tickets/user/${user.id}`)).json();
  await page.context().setOffline(true);
  await confirm.click();
  await expect(told).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByText(/^Hors ligne/)).toBeHidden();
  expect(await tickets(), 'nothing is sent later').toEqual([]);
  await expect(page.getByLabel('Numéro du bénéficiaire')).toHaveValue('76 12 34 56');
  await closeMessage(page);

  await loseOneAnswer(page, '**/api/tickets');
  await confirm.click();
  await expect(told).toBeVisible();
  expect(await tickets()).toHaveLength(1);
  await expect(page.getByRole('radio', { name: 'Orange Money' })).toBeChecked();
  await confirm.click();
  await expect(page.getByRole('dialog', { name: 'Demande créée avec succès' })).toBeVisible();
  expect(await tickets()).toHaveLength(1);
});

test('a reset of the password whose answer was lost: the person signs in with the new one', async ({
  page,
  product,
  provoke,
}) => {
  provoke('400 /api/auth/reset-password');
  const phone = '70120002';
  await makeAccount(product, person('Nafissatou', phone));
  await page.goto(`${product.url}/forgot-password`);
  await page.getByLabel('Numéro de téléphone').fill(phone);
  await page.getByRole('button', { name: 'Envoyer le code' }).click();
  await page.getByLabel('Chiffre 1').fill(await product.readCode(`+226${phone}`));
  for (const label of ['Nouveau mot de passe', 'Confirmer le mot de passe'])
    await page.getByLabel(label).fill('autre-secret');
  await loseOneAnswer(page, '**/api/auth/reset-password');
  const save = page.getByRole('button', { name: 'Enregistrer' });
  await save.click();
  await expect(page.getByRole('alert').filter({ hasText: 'Pas de réponse du réseau.' })).toBeVisible();
  await expect(page.getByLabel('Nouveau mot de passe')).toHaveValue('autre-secret');
  await save.click();
  await expect(page.getByText(/^Connectez-vous avec le nouveau mot de passe/)).toBeVisible();
});

test("what a proxy says in the server's place is no answer, nor is the server's fault: the app says that the server does not answer", async ({
  page,
  product,
  provoke,
}) => {
  provoke('429 /api/', '500 /api/', '502 /api/');
  const bar = page.getByText(/^Guichet ne répond pas ·/);
  await enterAs(page, product, { firstName: 'Salif', lastName: 'Ba', phone: '71000009' });
  await page.getByRole('link', { name: 'Paramètres' }).click();
  const answer = async (fulfilment: Parameters<Route['fulfill']>[0]) => {
    await page.unroute('**/api/**');
    await page.route('**/api/**', (route) => route.fulfill(fulfilment));
  };
  // Any number of the server's own refusals.
  await answer({ status: 429, json: { code: 'TOO_MANY', message: 'Trop de tentatives.' } });
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
  await answer({ status: 500, json: { code: 'INTERNAL', message: 'Erreur interne' } });
  await tryTwice();
  await expect(bar).toBeVisible();
  await answer({ status: 502, contentType: 'text/html', body: '<h1>502 Bad Gateway</h1>' });
  await tryTwice();
  await expect(bar).toBeVisible();
  await page.unroute('**/api/**');
  // The button may be gone by then: the app looks for the line by itself.
  await page.getByRole('link', { name: 'Accueil' }).click();
  await expect(bar).toHaveCount(0);
});
