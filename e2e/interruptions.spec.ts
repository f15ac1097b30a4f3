import type { Locator, Page, Route } from '@playwright/test';
import { untilAnswered } from './answers.ts';
import { stopClock } from './clock.ts';
import { expect, test } from './fixtures.ts';
import { expectFailure } from './messages.ts';
import { password } from './people.ts';
import type { Product } from './product.ts';
import {
  choosePayment,
  drillDown,
  enterAs,
  enterAsGuest,
  holdBack,
  loseOneAnswer,
  signInAsAdministrator,
  slowDown,
} from './steps.ts';

test.use({ serviceWorkers: 'allow' });

const userScreens = '**/assets/user-screens-*.js';
const toTransfer = ["Transfert d'argent", 'Orange Money', 'Envoi national'];

test('the next screens are there before they are opened, and open without a network @slow', async ({
  page,
  product,
}) => {
  const fetched = page.waitForResponse(userScreens);
  await page.goto(product.url);
  await (await fetched).finished();
  await page.route('**/assets/**', (route) => route.abort());
  await page.getByRole('button', { name: "Continuer en tant qu'invité" }).click();
  await expect(page.getByRole('heading', { name: 'Bonjour Invité' })).toBeVisible();
});

test('a part of the app that does not come at first comes by itself @slow', async ({ page, product }) => {
  let refused = 0;
  await page.route(userScreens, (route) => {
    refused += 1;
    return refused > 2 ? route.continue() : route.abort();
  });
  await enterAsGuest(page, product);
  expect(refused).toBe(3);
});

test('a part that fails for good is told, and comes when one asks again @slow', async ({ page, product }) => {
  await page.route(userScreens, (route) => route.abort());
  await page.goto(product.url);
  await page.getByRole('button', { name: "Continuer en tant qu'invité" }).click();
  await expect(page.getByText("Cette page n'a pas pu être chargée.")).toBeVisible();
  await page.unroute(userScreens);
  await page.getByRole('button', { name: 'Réessayer' }).click();
  await expect(page.getByRole('heading', { name: 'Bonjour Invité' })).toBeVisible();
});

test.describe('where no service worker keeps the files', () => {
  test.use({ serviceWorkers: 'block' });

  test('a part that a newer version no longer has: the page is asked for again @slow', async ({
    page,
    product,
    provoke,
  }) => {
    provoke('404 /assets/user-screens');
    let newer = false;
    const gone = (route: Route) =>
      newer ? route.continue() : route.fulfill({ status: 404, json: { message: 'Introuvable.', code: 'NOT_FOUND' } });
    await page.route(userScreens, gone);
    await page.goto(product.url);
    await page.getByRole('button', { name: "Continuer en tant qu'invité" }).click();
    await expect(page.getByText("Cette page n'a pas pu être chargée.")).toBeVisible();
    await page.route(`${product.url}/`, (route) => {
      newer = true;
      return route.continue();
    });
    await page.getByRole('button', { name: 'Réessayer' }).click();
    await expect(page.getByRole('heading', { name: 'Bonjour Invité' })).toBeVisible();
    expect(newer).toBe(true);
  });
});

test('a screen that cannot be drawn says so and never leaves a blank page @slow', async ({
  page,
  product,
  provoke,
}) => {
  provoke('console: TypeError');
  await enterAsGuest(page, product);
  // An answer outside the contract: an intermediary's page, or a server of another version.
  await page.route('**/api/services?*', (route) => route.fulfill({ json: { no: 'list' } }));
  await page.getByRole('button', { name: /Banque et épargne/ }).click();
  await expect(page.getByText("Cette page n'a pas pu être affichée.")).toBeVisible();
  await page.goBack();
  await page.unroute('**/api/services?*');
  await page.getByRole('button', { name: 'Réessayer' }).click();
  await expect(page.getByRole('heading', { name: 'Bonjour Invité' })).toBeVisible();
});

async function boxOf(what: Locator) {
  const box = await what.boundingBox();
  if (!box) throw new Error(`${what} is not drawn`);
  return box;
}

/** Ends the session on the server, as time or an administrator would; the app does not know yet. */
async function endSession(page: Page) {
  // A pending request of the screen would reveal the end before the next press.
  await untilAnswered(page);
  await page.context().clearCookies();
}

/** Ends it while the app is closed, and opens the app there again. */
async function endSessionAndReturn(page: Page) {
  const address = page.url();
  await untilAnswered(page);
  await page.goto('about:blank');
  await page.context().clearCookies();
  await page.goto(address);
}

async function signInAgain(page: Page, phone: string) {
  await expect(page.getByText('Session expirée')).toBeVisible();
  await expect(page.getByText('Veuillez vous reconnecter.')).toBeVisible();
  await page.getByLabel('Téléphone ou e-mail').fill(phone);
  await page.getByLabel('Mot de passe', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Se connecter' }).click();
}

test('a session that ended on a screen: told, and after signing in one is there again @slow', async ({
  page,
  product,
  provoke,
}) => {
  provoke('401 /api/');
  const person = { firstName: 'Seydou', lastName: 'Barro', phone: '74000001' };
  await enterAs(page, product, person);
  await slowDown(page);
  await endSession(page);
  await page.getByRole('link', { name: 'Tickets' }).click();
  await loseOneAnswer(page, '**/api/auth/signin');
  await signInAgain(page, person.phone);
  await expectFailure(page, 'Erreur de connexion', 'Pas de réponse du réseau.');
  await page.getByRole('button', { name: 'Se connecter' }).click();
  await expect(page.getByRole('heading', { name: 'Mes Tickets' })).toBeVisible();

  await page.getByRole('link', { name: 'Accueil' }).click();
  await page.getByRole('button', { name: /Factures et paiements/ }).click();
  await expect(page.getByRole('heading', { name: 'Factures et paiements - Services' })).toBeVisible();
  const level = page.url();
  await endSessionAndReturn(page);
  await signInAgain(page, person.phone);
  await expect(page.getByRole('heading', { name: 'Factures et paiements - Services' })).toBeVisible();
  await expect(page).toHaveURL(level);
  // The return address is used once: signing out and in again leads home.
  await page.getByRole('link', { name: 'Paramètres' }).click();
  await page.getByRole('button', { name: 'Se déconnecter' }).click();
  await page.getByLabel('Téléphone ou e-mail').fill(person.phone);
  await page.getByLabel('Mot de passe', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Se connecter' }).click();
  await expect(page.getByRole('heading', { name: 'Bonjour Seydou' })).toBeVisible();
});

test('a session that ended while one ordered: Connexion requise at the first press, and back to the same order @slow', async ({
  page,
  product,
  provoke,
}) => {
  provoke('401 /api/');
  const person = { firstName: 'Clarisse', lastName: 'Yaméogo', phone: '74000002' };
  await enterAs(page, product, person);
  await drillDown(page, toTransfer);
  await page.getByLabel('Numéro du bénéficiaire').fill('71 23 45 67');
  await page.getByLabel('Entrer la somme').fill('5 000');
  await choosePayment(page, 'Wave');
  await expect(page.getByTestId('total')).toHaveText(/FCFA$/);
  const total = (await page.getByTestId('total').textContent()) ?? '';
  await endSession(page);
  await page.getByRole('button', { name: 'Confirmer la demande' }).click();
  await expect(page.getByText('Connexion requise')).toBeVisible();
  await expect(page).toHaveURL(`${product.url}/auth`);
  await page.getByLabel('Téléphone ou e-mail').fill(person.phone);
  await page.getByLabel('Mot de passe', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Se connecter' }).click();
  await expect(page.getByLabel('Numéro du bénéficiaire')).toHaveValue('71 23 45 67');
  await expect(page.getByLabel('Entrer la somme')).toHaveValue('5 000');
  await expect(page.getByTestId('total')).toHaveText(total);
  await page.getByRole('button', { name: 'Confirmer la demande' }).click();
  await expect(page.getByRole('dialog', { name: 'Demande créée avec succès' })).toBeVisible();
});

test('an administrator whose session ended comes back to the same tab @slow', async ({ page, product, provoke }) => {
  provoke('401 /api/');
  await signInAsAdministrator(page, product);
  await page.goto(`${product.url}/admin/users?recherche=Awa`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await endSessionAndReturn(page);
  await expect(page.getByText('Session expirée')).toBeVisible();
  await page.getByLabel('Téléphone ou e-mail').fill(product.administrator.phone);
  await page.getByLabel('Mot de passe', { exact: true }).fill(product.administrator.password);
  await page.getByRole('button', { name: 'Se connecter' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Utilisateurs' })).toBeVisible();
  await expect(page).toHaveURL(`${product.url}/admin/users?recherche=Awa`);
});

/** Changes a service as an administrator in another browser. */
async function changeService(page: Page, product: Product, name: string, change: object) {
  const admin = await page.context().browser()?.newPage();
  if (!admin) throw new Error('no browser');
  await signInAsAdministrator(admin, product);
  const status = await admin.evaluate(
    async ([serviceName, data]) => {
      const services = (await (await fetch('/api/admin/services')).json()) as { id: number; name: string }[];
      const form = new FormData();
      form.set('data', JSON.stringify(data));
      const id = services.find((service) => service.name === serviceName)?.id;
      return (await fetch(`/api/admin/services/${id}`, { method: 'PUT', body: form })).status;
    },
    [name, change] as const,
  );
  expect(status).toBe(200);
  await admin.close();
}

test('a commission that changed meanwhile: the card shows the total that the message names, also when nothing more can be asked @slow', async ({
  page,
  product,
  provoke,
}) => {
  provoke('409 /api/tickets');
  await enterAs(page, product, { firstName: 'Hamidou', lastName: 'Nikiéma', phone: '74000003' });
  await drillDown(page, ['Factures et paiements', 'Scolarité', 'Inscription universitaire']);
  await page.getByLabel('Numéro du bénéficiaire').fill('71 23 45 67');
  await choosePayment(page, 'Wave');
  await expect(page.getByTestId('total')).toHaveText(/^15.300\sFCFA$/);
  const confirm = page.getByRole('button', { name: 'Confirmer la demande' });
  const change = (commissionValue: number) =>
    changeService(page, product, 'Inscription universitaire', { commissionType: 'fixed', commissionValue });
  await change(500);
  await confirm.click();
  await expect(page.getByText(/Nouveau total : 15.500\sFCFA/)).toBeVisible();
  await expect(page.getByTestId('total')).toHaveText(/^15.500\sFCFA$/);
  await change(700);
  for (const lost of ['**/api/services**', '**/api/commission/**']) await page.route(lost, (route) => route.abort());
  await confirm.click();
  await expect(page.getByText(/Nouveau total : 15.700\sFCFA/)).toBeVisible();
  await expect(page.getByTestId('total')).toHaveText(/^15.700\sFCFA$/);
  await confirm.click();
  await expect(page.getByRole('dialog', { name: 'Demande créée avec succès' })).toContainText(/15.700\sFCFA/);
  await change(300);
});

test('confirming right after typing an amount waits for the total, and goes on @slow', async ({ page, product }) => {
  await enterAs(page, product, { firstName: 'Wend', lastName: 'Kabré', phone: '74000004' });
  await drillDown(page, toTransfer);
  await page.getByLabel('Numéro du bénéficiaire').fill('71 23 45 67');
  await choosePayment(page, 'Wave');
  const commission = await holdBack(page, '**/api/commission/**');
  await page.getByLabel('Entrer la somme').fill('250.000');
  await page.getByRole('button', { name: 'Calcul…' }).click();
  await expect.poll(commission.held).toBeGreaterThan(0);
  await expect(page.getByRole('button', { name: 'Calcul…' })).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByRole('alert').filter({ hasText: /./ })).toHaveCount(0);
  commission.release();
  await expect(page.getByRole('dialog', { name: 'Demande créée avec succès' })).toContainText(/252.500\sFCFA/);
});

test('a message stands clear of titles, of the bar and of what was pressed, and goes when the next try begins @slow', async ({
  page,
  product,
}) => {
  await page.clock.install();
  await enterAs(page, product, { firstName: 'Zénabou', lastName: 'Ouédraogo', phone: '74000005' });
  const staysClear = async (message: Locator, ...others: Locator[]) => {
    const toast = await boxOf(message);
    for (const other of others) {
      const { y, height } = await boxOf(other);
      expect(y >= toast.y + toast.height || y + height <= toast.y, `${message} and ${other}`).toBe(true);
    }
  };
  // In the place of the navigation.
  const bar = page.locator('.confirm-bar');
  // Else the message could be gone before it is measured.
  await stopClock(page);
  await drillDown(page, toTransfer);
  const chosen = page.getByRole('status').filter({ hasText: 'Service sélectionné' }).locator('> div');
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport();
  await staysClear(chosen, bar, page.getByRole('heading', { level: 2, name: 'Envoi national' }));
  await page.clock.resume();
  await page.getByLabel('Numéro du bénéficiaire').fill('71 23 45 67');
  await page.getByLabel('Entrer la somme').fill('5 000');
  await choosePayment(page, 'Wave');
  await expect(page.getByTestId('total')).toHaveText(/FCFA$/);
  await loseOneAnswer(page, '**/api/tickets');
  const confirm = page.getByRole('button', { name: 'Confirmer la demande' });
  // From here on the clock is stopped: no message disappears by itself.
  await stopClock(page);
  await confirm.click();
  const message = page.getByRole('alert').filter({ hasText: 'Pas de réponse du réseau.' }).locator('> div');
  await expect(message).toBeVisible();
  await staysClear(message, bar, confirm);
  const tickets = await holdBack(page, '**/api/tickets');
  await confirm.click();
  await expect(message).toBeHidden();
  tickets.release();
  await expect(page.getByRole('dialog', { name: 'Demande créée avec succès' })).toBeVisible();
  await expect(page.getByRole('alert').filter({ hasText: /./ })).toHaveCount(0);
});

test('a place in a long screen comes back, also where its list comes late, unless one moved meanwhile @slow', async ({
  page,
  product,
}) => {
  await page.setViewportSize({ width: 320, height: 480 });
  // The list is late, and no preloaded copy exists.
  await page.route('**/api/catalogue', (route) => route.abort());
  await enterAsGuest(page, product);
  await page.getByRole('button', { name: /Télécom et mobile/ }).click();
  const country = page.getByRole('main').getByRole('button', { name: /^Sénégal/ });
  const goDown = async () => {
    await country.scrollIntoViewIfNeeded();
    await page.evaluate(() => scrollTo(0, 180));
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(180);
    // A page handles a scroll with its next frame, which comes before any person's click.
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    // A mouse click would scroll the element fully into view first.
    await country.dispatchEvent('click');
    await expect(page.getByRole('heading', { name: 'Sénégal - Services' })).toBeVisible();
    expect(await page.evaluate(() => scrollY)).toBe(0);
  };
  /** Turns the wheel, and waits until the page knows. */
  const wheel = async () => {
    await page.evaluate(() => {
      const turned = new Promise<void>((resolve) => addEventListener('wheel', () => resolve(), { once: true }));
      Object.assign(window, { turned });
    });
    await page.mouse.wheel(0, -10);
    await page.evaluate(() => (window as unknown as { turned: Promise<void> }).turned);
  };
  await goDown();
  await page.goBack();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(180);

  for (const moves of [false, true]) {
    await goDown();
    const roots = await holdBack(page, '**/api/services?*');
    await page.goBack();
    // As on a first visit: a stored answer would be drawn at once.
    await page.evaluate(() => {
      for (const key of Object.keys(localStorage)) if (key.startsWith('guichet_kept:')) localStorage.removeItem(key);
    });
    await page.reload();
    await expect.poll(roots.held).toBeGreaterThan(0);
    await expect(page.getByText('Chargement des services...')).toBeVisible();
    if (moves) await wheel();
    roots.release();
    await expect(country).toBeVisible();
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(moves ? 0 : 180);
    await page.unroute('**/api/services?*');
  }
});
