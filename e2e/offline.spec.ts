import type { BrowserContext, Page } from '@playwright/test';
import { untilAnswered } from './answers.ts';
import { expect, test } from './fixtures.ts';
import { type Person, password } from './people.ts';
import { startRelease } from './release.ts';
import { choosePayment, confirmOrder, drillDown, enterAs, enterAsGuest } from './steps.ts';

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

const storedId = (page: Page) =>
  page.evaluate(() => (JSON.parse(localStorage.getItem('guichet_user') ?? '{}') as { id: number }).id);

/** Opens the app offline, from the browser's storage alone. */
async function reopen(context: BrowserContext, url: string): Promise<Page> {
  await context.setOffline(true);
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

test('home, a level and the tickets with their codes are there without a line, which the app says', async ({
  page,
  product,
}) => {
  await enterAs(page, product, person('Awa', '70910001'));
  await page.getByRole('button', { name: /Télécom et mobile/ }).click();
  await expect(page.getByRole('heading', { name: 'Télécom et mobile - Services' })).toBeVisible();
  const level = page.url();
  await drillDown(page, ['Burkina Faso', 'Orange', 'Forfaits internet', 'Forfait internet 7 jours']);
  const code = await confirmOrder(page, { beneficiary: '70 12 34 56', total: /^1.050\sFCFA$/ });
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

  await context.setOffline(false);
  await expect(home.getByText(/^Hors ligne/)).toBeHidden();
});

test('an order that is confirmed without a line is refused at once, and nothing of it is sent later', async ({
  page,
  product,
}) => {
  await enterAs(page, product, person('Issa', '70910002'));
  await page.getByRole('button', { name: /Télécom et mobile/ }).click();
  await drillDown(page, ['Burkina Faso', 'Orange', 'Forfaits internet', 'Forfait internet 7 jours']);
  await page.getByLabel('Numéro du bénéficiaire').fill('70 12 34 56');
  await choosePayment(page, 'Orange Money');
  await expect(page.getByTestId('total')).toHaveText(/^1.050\sFCFA$/);
  await page.context().setOffline(true);
  await expect(page.getByText(offline)).toBeVisible();
  await page.getByRole('button', { name: 'Confirmer la demande' }).click();
  await expect(page.getByText('Erreur', { exact: true })).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByText(/^Hors ligne/)).toBeHidden();
  const { user } = await (await page.request.get(`${product.url}/api/auth/me`)).json();
  expect(await (await page.request.get(`${product.url}/api/tickets/user/${user.id}`)).json()).toEqual([]);
});

test('the first screen opens without a line, and no cache holds anything of the administrators', async ({
  page,
  product,
}) => {
  await page.goto(product.url);
  await expect(page.getByRole('tab', { name: 'Connexion' })).toBeVisible();
  await untilInstalled(page);
  const files = await cached(page);
  expect(files).toContain('/');
  expect(files.filter((file) => /^\/assets\/(?:tickets|summary|notifications|settings)-page-/.test(file))).toHaveLength(
    4,
  );
  expect(files.filter((file) => /admin|-tab-|action-menu|chart/.test(file))).toEqual([]);
  expect(files.filter((file) => file.startsWith('/api'))).toEqual([]);
  await page.close();

  const later = await reopen(page.context(), product.url);
  await expect(later.getByRole('tab', { name: 'Connexion' })).toBeVisible();
  await expect(later.getByText(/^Hors ligne/)).toBeVisible();
  await later.getByRole('tab', { name: 'Inscription' }).click();
  await expect(later.getByLabel('Prénom')).toBeVisible();
});

test('signing out leaves nothing of the person behind, and another one sees nothing of theirs', async ({
  page,
  product,
}) => {
  await enterAs(page, product, person('Fatou', '70910003'));
  await expect.poll(() => keptKeys(page)).not.toEqual([]);
  await page.goto(`${product.url}/tickets`);
  await expect(page.getByText('Aucun ticket trouvé')).toBeVisible();
  await expect.poll(async () => (await keptKeys(page)).some((key) => key.includes('/api/tickets/'))).toBe(true);
  await untilInstalled(page);
  await page.getByRole('link', { name: 'Paramètres' }).click();
  await page.getByRole('button', { name: 'Se déconnecter' }).click();
  await expect(page.getByRole('tab', { name: 'Connexion' })).toBeVisible();
  expect(await keptKeys(page)).toEqual([]);
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('Fatou');
  expect((await cached(page)).filter((file) => file.startsWith('/api'))).toEqual([]);

  await enterAsGuest(page, product);
  const guest = await storedId(page);
  await expect.poll(() => keptKeys(page)).not.toEqual([]);
  expect((await keptKeys(page)).filter((key) => !key.startsWith(`guichet_kept:${guest}:`))).toEqual([]);
});

test('a new version is offered, comes whole when it is asked for, and until then changes nothing', async ({
  page,
  product,
}) => {
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
