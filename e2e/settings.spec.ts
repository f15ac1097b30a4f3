import type { Page } from '@playwright/test';
import { expect, test } from './branch.ts';
import { callAs, fileTickets } from './caller.ts';
import { boxOf } from './layout.ts';
import { expectToast } from './messages.ts';
import { password } from './people.ts';
import { enterAs, enterBy, holdBack, stored } from './steps.ts';

const entry = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name });

test('P11.9, a person changes their profile, and is greeted by the new name', async ({ page, product }) => {
  await enterAs(page, product, { firstName: 'Awa', lastName: 'Avant', phone: '77000191' });
  const other = await page.context().newPage();
  await other.goto(product.url);
  await page.getByRole('link', { name: 'Paramètres' }).click();
  await entry(page, 'Profil').click();
  const dialog = page.getByRole('dialog', { name: 'Profil' });
  const field = (label: string) => dialog.getByLabel(label, { exact: true });
  const [first, last, email] = [field('Prénom'), field('Nom'), field('E-mail (facultatif)')];
  const save = dialog.getByRole('button', { name: 'Enregistrer' });
  await expect(first).toHaveValue('Awa');
  await expect(dialog).toContainText(/\+226 77 00 01 9\d.*Le numéro ne change pas/);
  await first.fill(' ');
  await email.fill('sans arobase');
  await save.click();
  await expect(dialog.getByText('Ce champ est requis.')).toBeVisible();
  await expect(dialog.getByText("Cette adresse e-mail n'est pas valide.")).toBeVisible();
  await expect(first).toBeFocused();

  await page.route('**/api/auth/profile', (route) => route.abort());
  await first.fill('Aïcha');
  // By keyboard: from field to field, and sent by Enter.
  await page.keyboard.press('Tab');
  await expect(last).toBeFocused();
  await page.keyboard.type('Après');
  await page.keyboard.press('Tab');
  await page.keyboard.type('aicha@exemple.bf');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('alert')).toContainText('Pas de réponse du réseau.');
  await expect(first).toHaveValue('Aïcha');
  await page.unroute('**/api/auth/profile');
  await save.click();
  await expectToast(page, 'Profil modifié');
  await expect(entry(page, 'Profil')).toBeFocused();
  for (const text of ['Aïcha Après', 'aicha@exemple.bf'])
    await expect(page.getByRole('main').getByText(text)).toBeVisible();
  await expect(other.getByRole('heading', { name: 'Bonjour Aïcha' })).toBeVisible();
  await other.close();
  await page.goto(product.url);
  await expect(page.getByRole('heading', { name: 'Bonjour Aïcha' })).toBeVisible();
});

test('a person changes their password, and is still in after it', async ({ page, product, provoke }) => {
  provoke('403 /api/auth/change-password');
  await enterAs(page, product, { firstName: 'Denise', lastName: 'Secret', phone: '77000171' });
  await page.goto(`${product.url}/settings`);
  await page.getByRole('button', { name: 'Sécurité' }).click();
  const dialog = page.getByRole('dialog', { name: 'Changer mon mot de passe' });
  const labels = ['Mot de passe actuel', 'Nouveau mot de passe', 'Confirmer le mot de passe'];
  for (const [place, autocomplete] of ['current-password', 'new-password', 'new-password'].entries())
    await expect(dialog.getByLabel(labels[place] ?? '')).toHaveAttribute('autocomplete', autocomplete);
  const send = async (...texts: string[]) => {
    for (const [place, text] of texts.entries()) await dialog.getByLabel(labels[place] ?? '').fill(text);
    await dialog.getByRole('button', { name: 'Changer' }).click();
  };
  await send('', '12345', '');
  for (const text of ['Saisissez votre mot de passe.', 'Le mot de passe doit contenir au moins 6 caractères.'])
    await expect(dialog.getByText(text).first()).toBeVisible();
  await send('faux-faux', 'nouveau-171', 'nouveau-172');
  await expect(dialog.getByText('Les mots de passe ne correspondent pas.')).toBeVisible();
  await send('faux-faux', 'nouveau-171', 'nouveau-171');
  await expect(dialog.getByText('Mot de passe actuel incorrect.')).toBeVisible();
  await expect(dialog.getByLabel('Mot de passe actuel')).toBeFocused();
  await page.route('**/api/auth/change-password', (route) => route.abort());
  await send(password, 'nouveau-171', 'nouveau-171');
  await expect(dialog.getByRole('alert')).toContainText('Pas de réponse du réseau.');
  await page.unroute('**/api/auth/change-password');

  await dialog.getByRole('button', { name: 'Changer' }).click();
  await expectToast(page, 'Mot de passe modifié', 'Vos autres appareils ont été déconnectés.');
  await expect(dialog).toBeHidden();
  await page.reload();
  await expect(page.getByRole('main')).toContainText('Denise Secret');
});

const grounds = { light: 'rgb(251, 248, 243)', dark: 'rgb(18, 23, 29)' };

async function expectTheme(page: Page, theme: keyof typeof grounds): Promise<void> {
  const root = page.locator('html');
  await expect(root).toHaveAttribute('data-theme', theme);
  await expect(root).toHaveCSS('background-color', grounds[theme]);
  await expect(root).toHaveCSS('color-scheme', theme);
  const bar = await page.locator('meta[name=theme-color]').getAttribute('content');
  expect(bar).toBe({ light: '#1f2f5c', dark: '#182447' }[theme]);
}

test('P11.7, the theme changes by keyboard, and stays through a sign-out', async ({ page, product }) => {
  const radio = (name: string) => page.getByRole('radio', { name, exact: true });
  await enterAs(page, product, { firstName: 'Alima', lastName: 'Look', phone: '77000081' });
  await page.getByRole('link', { name: 'Paramètres' }).click();
  await entry(page, 'Affichage').click();
  await expect(radio("Comme l'appareil")).toBeChecked();
  await radio('Sombre').click();
  await expectTheme(page, 'dark');
  await page.keyboard.press('ArrowUp');
  await expectTheme(page, 'light');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Affichage' })).toBeFocused();
  await page.getByRole('button', { name: 'Se déconnecter' }).click();
  await expect(page.getByRole('tab', { name: 'Connexion' })).toBeVisible();
  expect(JSON.parse((await stored(page, 'guichet.look')) ?? '')).toEqual({ theme: 'dark' });

  // Before any style sheet or script.
  const { release } = await holdBack(page, '**/assets/**');
  await page.goto(product.url, { waitUntil: 'commit' });
  await expect(page.getByText('Chargement...')).toBeVisible();
  await expect(page.locator('html')).toHaveCSS('background-color', grounds.dark);
  const first = await boxOf(page.getByText('Guichet', { exact: true }));
  release();
  await expect(page.getByRole('tab', { name: 'Connexion' })).toBeVisible();
  // The document's head is the entry's.
  expect((await boxOf(page.locator('header'))).bottom).toBeCloseTo(first.bottom, 0);
  await expectTheme(page, 'dark');
});

test("'Nous contacter' leads to the operator, with a message about the ticket", async ({
  page,
  context,
  product,
  branch,
}) => {
  const none = { whatsapp: null, phone: null, email: null };
  const save = (contact: object) => branch.admin.send('PUT', '/api/admin/contact', contact);
  const message = /^Bonjour, je vous écris au sujet du ticket n°\s(\d+)\s: Bouquet Access, 5\s100\sFCFA\.$/;
  const caller = await callAs(product, { firstName: 'Aminata', lastName: 'Diallo', phone: '77000071' });
  const [id] = await fileTickets(caller, 1);
  await save({ whatsapp: '+22670123456', phone: '+33612345678', email: 'aide@exemple.bf' });
  await context.route('https://wa.me/**', (route) => route.fulfill({ contentType: 'text/html', body: 'WhatsApp' }));
  await enterBy(page, product, caller.entrance, `/ticket/${id}`);
  const opener = page.getByRole('button', { name: 'Nous contacter' });
  const dialog = page.getByRole('dialog', { name: 'Nous contacter' });
  await opener.press('Enter');
  await expect(dialog).toContainText(`Au sujet du ticket n° ${id}`);
  const ways = dialog.getByRole('link');
  await expect(ways).toHaveText([/^WhatsApp/, /^Appeler/, /^E-mail/]);
  const opening = page.waitForEvent('popup');
  await ways.first().press('Enter');
  // Before the other tab, which may take longer to come than the message stays.
  await expectToast(page, 'Support contacté', /WhatsApp s'ouvre avec un message prêt/);
  const tab = await opening;
  await tab.waitForLoadState();
  const address = new URL(tab.url());
  expect(address.origin + address.pathname).toBe('https://wa.me/22670123456');
  expect(message.exec(address.searchParams.get('text') ?? '')?.[1]).toBe(String(id));
  expect(await tab.evaluate(() => [window.opener, document.referrer])).toEqual([null, '']);
  await tab.close();
  await expect(ways.nth(1)).toHaveAttribute('href', 'tel:+33612345678');
  await page.keyboard.press('Escape');
  await expect(opener).toBeFocused();

  await save(none);
  // The kept contact of before is outdated: what opens waits for the newest.
  const { release, held } = await holdBack(page, '**/api/contact');
  await page.reload();
  await opener.click();
  await expect.poll(held).toBeGreaterThan(0);
  await expect(dialog).toHaveCount(0);
  release();
  const told = page.getByRole('status').filter({ hasText: 'Support contacté' });
  await expect(told).toHaveText('Support contacté');
  await expect(dialog).toHaveCount(0);
});
