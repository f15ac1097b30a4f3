import type { Locator, Page } from '@playwright/test';
import { test } from './branch.ts';
import { callAs, fileTickets } from './caller.ts';
import { stopClock } from './clock.ts';
import { expect } from './fixtures.ts';
import type { Person } from './people.ts';
import type { Product } from './product.ts';
import { enterAsGuest, enterBy, fillSignUp, holdBack } from './steps.ts';

const typedNumber = (page: Page) => page.getByLabel('Téléphone', { exact: true });
const firstBox = (page: Page) => page.getByLabel('Chiffre 1');

async function boxOf(element: Locator) {
  const box = await element.boundingBox();
  if (!box) throw new Error('not drawn');
  return box;
}

test('the whole sign-in fits a small phone, with the legal links in one line at its foot @slow', async ({
  page,
  product,
}) => {
  await page.goto(product.url);
  await expect(page.getByLabel('Téléphone ou e-mail')).toBeVisible();
  const { top, height } = await page.evaluate(() => ({
    top: document.documentElement.scrollHeight,
    height: innerHeight,
  }));
  expect(top).toBe(height);
  for (const name of ['Se connecter', "Continuer en tant qu'invité"])
    await expect(page.getByRole('button', { name })).toBeInViewport({ ratio: 1 });
  for (const label of ['Téléphone ou e-mail', 'Mot de passe'])
    expect((await boxOf(page.getByLabel(label, { exact: true }))).height).toBe(52);
  const terms = await boxOf(page.getByRole('link', { name: "Conditions d'utilisation" }));
  const privacy = await boxOf(page.getByRole('link', { name: 'Politique de confidentialité' }));
  expect(privacy.y).toBe(terms.y);
  expect(privacy.height).toBeGreaterThanOrEqual(44);
  expect(privacy.y + privacy.height).toBeLessThanOrEqual(height);
  await page.getByRole('tab', { name: 'Inscription' }).click();
  await expect(page.getByRole('button', { name: "S'inscrire" })).toBeInViewport({ ratio: 1 });
  await expect(page.getByLabel('E-mail (facultatif)')).toHaveAccessibleDescription(
    'Pour vous connecter aussi par e-mail.',
  );
});

test("a mistyped number is got back to from the code's screen, and the right one gets a code of its own @slow", async ({
  page,
  product,
}) => {
  const person = { firstName: 'Sita', lastName: 'Barry', phone: '74100001' };
  await page.goto(product.url);
  await fillSignUp(page, person);
  await expect(page.getByText('+226 XX XX XX 01')).toBeVisible();
  await page.getByRole('button', { name: 'Modifier' }).click();
  await expect(page.getByRole('tab', { name: 'Inscription' })).toHaveAttribute('aria-selected', 'true');
  await expect(typedNumber(page)).toHaveValue('74 10 00 01');
  await expect(page.getByLabel('Prénom')).toHaveValue('Sita');
  await typedNumber(page).fill('74100002');
  await expect(typedNumber(page)).toHaveValue('74 10 00 02');
  await page.getByRole('button', { name: "S'inscrire" }).click();
  await expect(page.getByText('+226 XX XX XX 02')).toBeVisible();
  await expect(firstBox(page)).toBeFocused();
  await page.keyboard.type(await product.readCode('+22674100002'));
  await expect(page.getByRole('heading', { name: 'Bonjour Sita' })).toBeVisible();
});

test("in a tab where no number was typed, the code's screens know it all the same @slow", async ({ page, product }) => {
  await page.goto(`${product.url}/api/health/live`);
  await page.evaluate(() => {
    localStorage.setItem('pendingVerificationPhone', '+2250701234567');
    localStorage.setItem('resetPasswordPhone', '+22674100003');
  });
  await page.goto(`${product.url}/otp-verification`);
  await page.getByRole('button', { name: 'Modifier' }).click();
  await expect(page.getByLabel('Indicatif du pays')).toHaveValue('+225');
  await expect(typedNumber(page)).toHaveValue('07 01 23 45 67');
  await page.goto(`${product.url}/forgot-password-otp`);
  await page.getByRole('button', { name: 'Modifier' }).click();
  await expect(page.getByRole('heading', { name: 'Mot de passe oublié' })).toBeVisible();
  await expect(page.getByLabel('Numéro de téléphone')).toHaveValue('+226 74 10 00 03');
});

test('a message that is closed, or goes by itself, gives the focus back to the box of the code @slow', async ({
  page,
  product,
  provoke,
}) => {
  provoke('503 /api/auth/verify-otp');
  await page.clock.install();
  await page.goto(product.url);
  // No message goes by itself before the test lets it.
  await stopClock(page);
  await fillSignUp(page, { firstName: 'Omar', lastName: 'Cissé', phone: '74100004' });
  const cross = page.getByRole('button', { name: 'Fermer le message' });
  await expect(firstBox(page)).toBeFocused();
  await cross.click();
  await expect(cross).toBeHidden();
  await expect(firstBox(page)).toBeFocused();

  const refused = async () => {
    const answered = page.waitForResponse('**/api/auth/verify-otp');
    await page.route('**/api/auth/verify-otp', (route) => route.fulfill({ status: 503, body: '' }), { times: 1 });
    await page.getByLabel('Chiffre 4').fill('');
    await firstBox(page).fill('1234');
    await answered;
    await expect(cross).toBeVisible();
    await expect(firstBox(page)).toBeFocused();
  };
  for (const goes of [() => page.keyboard.press('Enter'), () => page.clock.runFor(6_000)]) {
    await refused();
    await cross.focus();
    await expect(cross).toBeFocused();
    await goes();
    await expect(cross).toBeHidden();
    await expect(firstBox(page)).toBeFocused();
  }
});

test('a guest is told what an account gives, and led to the form that makes one @slow', async ({ page, product }) => {
  await enterAsGuest(page, product);
  for (const screen of ['Notifications', 'Paramètres']) {
    await page.getByRole('link', { name: screen }).click();
    await expect(page.getByText(/vous suivez leur état et vous recevez les réponses/)).toBeVisible();
    await page.getByRole('link', { name: 'Créer un compte' }).click();
    await expect(page).toHaveURL(`${product.url}/auth`);
    await expect(page.getByRole('tab', { name: 'Inscription' })).toHaveAttribute('aria-selected', 'true');
    await expect(page.getByLabel('Prénom')).toBeVisible();
    await page.getByRole('button', { name: 'Retour' }).click();
    await expect(page.getByRole('heading', { name: screen })).toBeVisible();
  }
  await expect(page.getByText('Vous naviguez en mode invité')).toBeVisible();
  await page.getByRole('button', { name: 'Quitter le mode invité' }).click();
  await expect(page.getByRole('tab', { name: 'Connexion' })).toBeVisible();
});

/** Signs in a user with a notification of an approval above one of a rejection. */
async function enterWithNews(page: Page, product: Product, admin: { send: SendAs }, person: Person): Promise<void> {
  const caller = await callAs(product, person);
  const [rejected, approved] = await fileTickets(caller, 2);
  await admin.send('PATCH', `/api/tickets/${rejected}/status`, { status: 'rejected' });
  await admin.send('PATCH', `/api/tickets/${approved}/status`, { status: 'approved' });
  await caller.end();
  await enterBy(page, product, caller.entrance);
}
type SendAs = (method: 'PATCH', path: string, data: object) => Promise<unknown>;

test('a notification says how long ago it came, which goes on with the time, and on what day when it is asked @slow', async ({
  page,
  product,
  branch,
}) => {
  await page.clock.install();
  await enterWithNews(page, product, branch.admin, { firstName: 'Yaya', lastName: 'Koné', phone: '74100006' });
  await page.getByRole('link', { name: 'Notifications' }).click();
  const approved = page.getByRole('button', { name: /Demande approuvée/ });
  const age = approved.locator('time');
  await expect(age).toHaveText(/à l'instant|il y a \d min/);
  await expect(age).toHaveAttribute('title', /^\d{1,2} \S+ 20\d\d à \d\d:\d\d$/);
  const came = Date.parse((await age.getAttribute('datetime')) ?? '');
  for (const [minutes, words] of [
    [5, /^il y a [56]\smin$/],
    [24 * 60, /^hier$/],
    [72 * 60, /^\d{1,2}(er)? \S+$/],
  ] as const) {
    await page.clock.pauseAt(came + minutes * 60_000);
    await page.clock.runFor(31_000);
    await expect(age).toHaveText(words);
  }
  await page.clock.resume();
  // A line icon on a pale tile, in the status colour; unread notifications have a blue background.
  await expect(approved).toHaveCSS('background-color', 'rgb(232, 241, 253)');
  const colourOf = (name: RegExp) =>
    page
      .getByRole('button', { name })
      .locator('svg')
      .evaluate((mark) => getComputedStyle(mark).color);
  expect(await colourOf(/Demande approuvée/)).toBe('rgb(11, 107, 58)');
  expect(await colourOf(/Demande rejetée/)).toBe('rgb(166, 27, 27)');

  await approved.click();
  const toTicket = await boxOf(page.getByRole('link', { name: /^Voir le ticket n° \d+$/ }));
  const contact = await boxOf(page.getByRole('button', { name: 'Nous contacter' }));
  expect(contact.width).toBe(toTicket.width);
  expect(contact.y).toBeGreaterThan(toTicket.y + toTicket.height);
  await expect(page.getByRole('main').locator('time')).toHaveText(/^\d{1,2} \S+ 20\d\d à \d\d:\d\d$/);
});

test('what is still to come is drawn in its place, and the way back is there already @slow', async ({
  page,
  product,
}) => {
  await page.goto(product.url);
  const text = await holdBack(page, '**/api/content-pages/*');
  await page.getByRole('link', { name: "Conditions d'utilisation" }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Chargement...' })).toBeVisible();
  await expect(page.locator('.breathe').first()).toBeVisible();
  await expect(page.locator('.turn')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Retour' })).toBeVisible();
  text.release();
  await expect(page.getByRole('heading', { level: 1, name: /Conditions/ })).toBeVisible();
  await expect(page.locator('.breathe')).toHaveCount(0);
});

test('the account screens, settings and notifications never scroll sideways: narrow, on their side, with large text @slow', async ({
  page,
  product,
  branch,
}) => {
  test.setTimeout(240_000);
  const sizes = [
    { width: 320, height: 640, text: '100%' },
    { width: 740, height: 360, text: '100%' },
    { width: 1280, height: 800, text: '100%' },
    { width: 360, height: 740, text: '200%' },
    { width: 740, height: 360, text: '200%' },
  ];
  const fits = async (name: string) => {
    for (const { text, ...size } of sizes) {
      await page.setViewportSize(size);
      await page.evaluate((fontSize) => {
        document.documentElement.style.fontSize = fontSize;
      }, text);
      const where = `${name} at ${size.width} × ${size.height}, ${text}`;
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), where).toBeLessThanOrEqual(
        0,
      );
      const navigation = page.getByRole('navigation', { name: 'Navigation principale' });
      if ((await navigation.count()) === 0) continue;
      const wide = await navigation
        .locator('a')
        .evaluateAll((links) =>
          links.filter((link) => link.scrollWidth > link.clientWidth).map((link) => link.textContent),
        );
      expect(wide, `labels too wide: ${where}`).toEqual([]);
      // A side bar on a low screen.
      const bar = await boxOf(navigation);
      if (size.height === 360) expect(bar.width, where).toBeLessThanOrEqual(text === '100%' ? size.width / 5 : 220);
      else if (size.width < 700 && text === '100%') expect(bar.height, where).toBeLessThanOrEqual(size.height / 8);
    }
    await page.setViewportSize({ width: 360, height: 740 });
    await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));
  };

  await page.goto(product.url);
  await fits('sign-in');
  await page.getByRole('tab', { name: 'Inscription' }).click();
  await page.getByRole('button', { name: "S'inscrire" }).click();
  await expect(page.getByText('Le mot de passe doit contenir au moins 6 caractères.').first()).toBeVisible();
  await fits('sign-up');
  await page.evaluate(() => {
    localStorage.setItem('pendingVerificationPhone', '+2250701234567');
    localStorage.setItem('resetPasswordToken', 'x'.repeat(43));
  });
  for (const [path, heading] of [
    ['/otp-verification', 'Vérification par SMS'],
    ['/forgot-password', 'Mot de passe oublié'],
    ['/reset-password', 'Nouveau mot de passe'],
    ['/content/politique-confidentialite', /confidentialité/],
    ['/nulle-part', '404 - Page non trouvée'],
  ] as const) {
    await page.goto(product.url + path);
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    await fits(path);
  }
  await page.evaluate(() => sessionStorage.clear());
  await enterAsGuest(page, product);
  for (const screen of ['Notifications', 'Paramètres']) {
    await page.getByRole('link', { name: screen }).click();
    await expect(page.getByRole('link', { name: 'Créer un compte' })).toBeVisible();
    await fits(`${screen}, guest`);
  }
  await page.getByRole('button', { name: 'Quitter le mode invité' }).click();
  await expect(page.getByRole('tab', { name: 'Connexion' })).toBeVisible();
  const person = { firstName: 'Wendkuuni', lastName: 'Ouédraogo-Kaboré', phone: '74100007' };
  await enterWithNews(page, product, branch.admin, person);
  await page.getByRole('link', { name: 'Paramètres' }).click();
  await expect(page.getByText('À propos')).toBeVisible();
  await fits('settings');
  await page.getByRole('link', { name: 'Notifications' }).click();
  await expect(page.getByRole('button', { name: 'Marquer tout comme lu' })).toBeVisible();
  await fits('notifications');
  await page.getByRole('button', { name: /Demande rejetée/ }).click();
  await expect(page.getByRole('button', { name: 'Nous contacter' })).toBeVisible();
  await fits('notification');
});
