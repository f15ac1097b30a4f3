import { untilAnswered } from './answers.ts';
import { desktopSize, phoneSize } from './browser.ts';
import { expect, test } from './fixtures.ts';
import { enterAs, enterAsAdministrator, openTab, type Tab, withMenu } from './steps.ts';

const tabs: [tab: Tab, path: string, heading: string][] = [
  ['Tableau de bord', '/admin', 'Tableau de bord'],
  ['Services', '/admin/services', 'Gestion Hiérarchique des Services'],
  ['Tickets', '/admin/tickets', 'Tickets'],
  ['Utilisateurs', '/admin/users', 'Utilisateurs'],
  ['Paiements', '/admin/payments', 'Paiements'],
  ['Contenu', '/admin/content', 'Contenu'],
  ['Paramètres', '/admin/settings', 'Paramètres'],
];

for (const viewport of [desktopSize, phoneSize])
  test.describe(`at ${viewport.width}×${viewport.height}`, () => {
    test.use({ viewport });

    test('the seven tabs in their order, each at its own address, which opens it again', async ({ page, product }) => {
      await enterAsAdministrator(page, product, '/');
      await expect(page).toHaveURL(`${product.url}/admin`);
      for (const [tab, path, heading] of tabs) {
        await openTab(page, tab);
        await expect(page.getByRole('heading', { level: 1, name: heading, exact: true })).toBeVisible();
        expect(new URL(page.url()).pathname).toBe(path);
        await expect(page).toHaveTitle(`${tab} · Guichet`);
        await page.reload();
        await expect(page.getByRole('heading', { level: 1, name: heading, exact: true })).toBeVisible();
      }
      await withMenu(page, async (menu) => {
        const names = (await menu.getByRole('link').or(menu.getByRole('button')).allInnerTexts()).map((text) =>
          text.replace(/\s+\d.*$/s, '').trim(),
        );
        expect(names).toEqual([...tabs.map(([tab]) => tab), 'Se déconnecter']);
      });
    });

    test('signing out clears the user, says so and leads to /auth', async ({ page, product }) => {
      await enterAsAdministrator(page, product);
      await withMenu(page, (menu) => menu.getByRole('button', { name: 'Se déconnecter' }).click());
      await expect(page.getByText('Déconnexion réussie')).toBeVisible();
      await expect(page.getByText('Vous avez été déconnecté avec succès.')).toBeVisible();
      await expect(page).toHaveURL(`${product.url}/auth`);
      expect(await page.evaluate(() => localStorage.getItem('guichet_user'))).toBeNull();
      await page.goto(`${product.url}/admin/users`);
      await expect(page).toHaveURL(`${product.url}/`);
    });
  });

test('the menu folds to its icons, which keep their names, and unfolds', async ({ page, product }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await enterAsAdministrator(page, product);
  const menu = page.getByRole('navigation', { name: 'Administration' });
  const wide = (await menu.boundingBox())?.width ?? 0;
  await page.getByRole('button', { name: 'Replier le menu' }).click();
  await expect.poll(async () => (await menu.boundingBox())?.width).toBeLessThan(wide / 2);
  await menu.getByRole('link', { name: 'Paiements' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Paiements' })).toBeVisible();
  await page.getByRole('button', { name: 'Déplier le menu' }).click();
  await expect.poll(async () => (await menu.boundingBox())?.width).toBe(wide);
});

test('on a phone the drawer is closed by Escape, by its cross and by a tap beside it, and gives the focus back', async ({
  page,
  product,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await enterAsAdministrator(page, product);
  const opener = page.getByRole('button', { name: 'Ouvrir le menu' });
  const drawer = page.getByRole('dialog', { name: 'Menu' });
  const ways = [
    () => page.keyboard.press('Escape'),
    () => drawer.getByRole('button', { name: 'Fermer le menu' }).click(),
    () => page.mouse.click(350, 400),
  ];
  for (const close of ways) {
    await opener.click();
    await expect(drawer).toBeVisible();
    await close();
    await expect(drawer).toBeHidden();
    await expect(opener).toBeFocused();
  }
});

test('a tab is as it was left: its filter, its address and its place', async ({ page, product }) => {
  await page.setViewportSize({ width: 1280, height: 420 });
  await enterAsAdministrator(page, product, '/admin/tickets');
  await page.getByLabel('Statut').selectOption('approved');
  await page.getByLabel('Rechercher un ticket ou un service').fill('introuvable');
  await expect(page).toHaveURL(/statut=approved/);
  await expect(page).toHaveURL(/recherche=introuvable/);
  await openTab(page, 'Tableau de bord');
  await expect(page.getByText('Activité récente')).toBeVisible();
  await page.evaluate(() => scrollTo(0, 150));
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(150);
  await openTab(page, 'Tickets');
  await expect(page.getByLabel('Statut')).toHaveValue('approved');
  await expect(page.getByLabel('Rechercher un ticket ou un service')).toHaveValue('introuvable');
  await expect(page).toHaveURL(/statut=approved/);
  await openTab(page, 'Tableau de bord');
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(150);
});

test('somebody else sees nothing of the panel, and loads nothing of it', async ({ page, product }) => {
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  await enterAs(page, product, { firstName: 'Rokia', lastName: 'Bah', phone: '70818283' });
  for (const [, path] of tabs) {
    await page.goto(product.url + path);
    await expect(page).toHaveURL(`${product.url}/`);
  }
  await untilAnswered(page);
  expect(loaded.filter((path) => /admin-panel|-tab-/.test(path))).toEqual([]);
});
