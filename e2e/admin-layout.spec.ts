import type { Locator, Page } from '@playwright/test';
import { desktopSize, landscapeSize, phoneSize } from './browser.ts';
import { callAs, callAsAdministrator, fileTickets } from './caller.ts';
import { expect, test } from './fixtures.ts';
import { boxOf, expectNoSidewaysScroll } from './layout.ts';
import { enterAsAdministrator, openTab, type Tab } from './steps.ts';
import { choose, enterListOf, fullName, menuOpener, personOf, searchBox } from './users-tab.ts';

/** Where the elements of the panel stand. The test machine's face is a fifth wider than those of phones and desks. */

test.use({ viewport: desktopSize });

const middleOf = async (locator: Locator) => {
  const { y, height } = await boxOf(locator);
  return y + height / 2;
};
const inMain = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true });

test("on a desk the titles of all tabs stand at one height, and the folded menu's icons in the middle of their tiles @slow", async ({
  page,
  product,
}) => {
  await enterAsAdministrator(page, product);
  const title = page.getByRole('heading', { level: 1 });
  const expected = await middleOf(title);
  for (const tab of ['Services', 'Tickets', 'Utilisateurs', 'Paiements', 'Contenu', 'Paramètres'] satisfies Tab[]) {
    await openTab(page, tab);
    await expect(page).toHaveTitle(`${tab} · Guichet`);
    expect(await middleOf(title), tab).toBeCloseTo(expected, 0);
  }
  await page.getByRole('button', { name: 'Replier le menu' }).click();
  const entries = page.getByRole('navigation', { name: 'Administration' }).locator('a, button');
  await expect(entries).toHaveCount(8);
  for (const entry of await entries.all()) {
    const [tile, icon] = [await boxOf(entry), await boxOf(entry.locator('svg'))];
    expect(icon.x - tile.x).toBeCloseTo(tile.right - icon.right, 0);
  }
  await expect(page.getByText('G', { exact: true })).toBeVisible();
});

test("on a phone the first ticket is near the title, 12 px below the box of all, and the settings' sections keep to the screen @slow", async ({
  page,
  product,
}) => {
  const user = await callAs(product, { firstName: 'Près', lastName: 'Duhaut', phone: '70370001' });
  const [id] = await fileTickets(user, 1);
  await page.setViewportSize({ ...phoneSize, width: 430 });
  await enterAsAdministrator(page, product, `/admin/tickets?recherche=${id}`);
  const box = page.getByLabel('Tout choisir');
  const first = page.getByRole('list', { name: 'Tickets' }).getByRole('listitem').first();
  await expect(first).toBeVisible();
  expect((await boxOf(first)).y - (await boxOf(box)).bottom).toBeCloseTo(12, 0);
  expect(await middleOf(inMain(page, 'Exporter Excel'))).toBeCloseTo(
    await middleOf(page.getByRole('heading', { level: 1 })),
    0,
  );

  await page.setViewportSize(phoneSize);
  for (const [section, label] of [
    ['compte', 'Mon compte'],
    ['journal', "Journal d'audit"],
    ['fond', 'Fond de page'],
  ]) {
    await page.goto(`${product.url}/admin/settings?section=${section}`);
    const current = page.getByRole('link', { name: label, exact: true });
    await expect(current).toHaveAttribute('aria-current', 'page');
    const { x, right } = await boxOf(current);
    // Clear of the fading edges too.
    expect(x, section).toBeGreaterThanOrEqual(12);
    expect(Math.floor(right), section).toBeLessThanOrEqual(phoneSize.width - 32);
    await expectNoSidewaysScroll(page);
  }
});

test("what decides a ticket hides all that passes under it, and a user's menu is reached to its end, on a phone on its side @slow", async ({
  page,
  product,
}) => {
  const person = personOf('Couchée', '70370002');
  const [id] = await fileTickets(await callAs(product, person), 1);
  await page.setViewportSize(landscapeSize);
  await enterAsAdministrator(page, product, `/admin/tickets?ticket=${id}`);
  const dialog = page.getByRole('dialog');
  const foot = dialog.locator('div', { has: page.getByRole('button', { name: 'Approuver' }) }).last();
  expect((await boxOf(foot)).bottom).toBeCloseTo((await boxOf(dialog)).bottom, 0);

  await enterListOf(page, product, person);
  await menuOpener(page, fullName(person)).click();
  const menu = await boxOf(page.getByRole('menu'));
  expect(menu.y).toBeGreaterThanOrEqual(0);
  expect(menu.bottom).toBeLessThanOrEqual(landscapeSize.height);
  const items = await page.getByRole('menuitem').all();
  expect(items).toHaveLength(5);
  for (const item of items) {
    await expect(item).toBeInViewport({ ratio: 1 });
    expect((await boxOf(item)).height).toBeGreaterThanOrEqual(44);
  }
  await page.keyboard.press('Escape');
  await choose(page, fullName(person), 'Supprimer définitivement');
  await expect(page.getByRole('dialog', { name: `Supprimer ${fullName(person)} ?` })).toBeVisible();
});

test('on a phone on its side one bar has the menu, the title and the actions, and the sections stand straight under it @slow', async ({
  page,
  product,
}) => {
  await page.setViewportSize(landscapeSize);
  await enterAsAdministrator(page, product);
  const title = page.getByRole('heading', { level: 1 });
  const opener = page.getByRole('button', { name: 'Ouvrir le menu' });
  for (const [tab, action] of [
    ['Services', 'Nouveau Service'],
    ['Tickets', 'Exporter Excel'],
    ['Contenu', 'Nouvelle Page'],
    ['Paiements', 'Nouveau type de paiement'],
  ] satisfies [Tab, string][]) {
    await openTab(page, tab);
    await expect(page).toHaveTitle(`${tab} · Guichet`);
    const middle = await middleOf(opener);
    for (const beside of [title, inMain(page, action)])
      expect(Math.abs((await middleOf(beside)) - middle), `${tab} ${action}`).toBeLessThanOrEqual(1);
    expect((await boxOf(title)).x).toBeGreaterThanOrEqual((await boxOf(opener)).right);
    await expectNoSidewaysScroll(page);
  }
  for (const tab of ['Paiements', 'Paramètres'] satisfies Tab[]) {
    await openTab(page, tab);
    await expect(page).toHaveTitle(`${tab} · Guichet`);
    const sections = page.getByRole('navigation', { name: `Sections des ${tab.toLowerCase()}` });
    expect((await boxOf(sections)).y - (await boxOf(opener)).bottom, tab).toBeLessThanOrEqual(4);
  }
});

test('on a phone the links to the sections of payments stand still from one to the next, and the title of each tab @slow', async ({
  page,
  product,
}) => {
  await page.setViewportSize(phoneSize);
  await enterAsAdministrator(page, product);
  const title = page.getByRole('heading', { level: 1 });
  const expected = await middleOf(title);
  for (const tab of ['Tickets', 'Utilisateurs', 'Contenu', 'Paramètres', 'Paiements'] satisfies Tab[]) {
    await openTab(page, tab);
    await expect(page).toHaveTitle(`${tab} · Guichet`);
    expect(await middleOf(title), tab).toBeCloseTo(expected, 0);
  }
  const sections = page.getByRole('navigation', { name: 'Sections des paiements' });
  const { y } = await boxOf(sections);
  for (const [section, heading] of [
    ['Encaissements', 'Encaissements'],
    ['Comptes', 'Comptes'],
    ['Types de paiement', 'Paiements'],
  ] as const) {
    await sections.getByRole('link', { name: section, exact: true }).click();
    await expect(title).toHaveText(heading);
    expect(await middleOf(title), section).toBeCloseTo(expected, 0);
    expect((await boxOf(sections)).y, section).toBe(y);
  }
});

test('on a phone on its side the menu is whole, and filters share a row, so that a ticket and an action are in sight @slow', async ({
  page,
  product,
}) => {
  const [id] = await fileTickets(await callAs(product, personOf('Rangée', '70370006')), 1);
  await page.setViewportSize(landscapeSize);
  await enterAsAdministrator(page, product, `/admin/tickets?recherche=${id}`);
  const search = page.getByRole('searchbox', { name: 'Rechercher un ticket ou un service' });
  const more = page.getByRole('button', { name: /^(Plus de filtres|Filtres)/ });
  expect(await middleOf(more)).toBeCloseTo(await middleOf(search), 0);
  await expect(page.getByRole('button', { name: `Ouvrir le ticket n° ${id}` })).toBeInViewport({ ratio: 1 });
  await page.getByRole('button', { name: 'Ouvrir le menu' }).click();
  const entries = await page.getByRole('navigation', { name: 'Administration' }).locator('a, button').all();
  expect(entries).toHaveLength(8);
  for (const entry of entries) {
    await expect(entry).toBeInViewport({ ratio: 1 });
    expect((await boxOf(entry)).height).toBeGreaterThanOrEqual(44);
  }
  await page.goto(`${product.url}/admin/settings?section=journal`);
  const outcome = page.getByLabel('Résultat');
  for (const name of ['Plus de filtres', 'Exporter CSV'])
    expect(await middleOf(inMain(page, name)), name).toBeCloseTo(await middleOf(outcome), 0);
  await expect(page.getByRole('list').getByRole('listitem').getByText('Fait').first()).toBeInViewport();
});

for (const [where, viewport] of [
  ['on a phone', phoneSize],
  ['on a phone on its side', landscapeSize],
] as const)
  test(`${where} every dialog ends in its buttons, in sight on a line of their own, with room for the focus's ring @slow`, async ({
    page,
    product,
  }) => {
    const person = personOf('Assise', `7037000${4 + Number(viewport === landscapeSize)}`);
    const [id] = await fileTickets(await callAs(product, person), 1);
    await page.setViewportSize(viewport);
    const expectFoot = async (button: string) =>
      await test.step(button, async () => {
        const dialog = page.getByRole('dialog');
        const last = dialog.getByRole('button', { name: button, exact: true }).last();
        await expect(last).toBeInViewport({ ratio: 1 });
        // Once what comes in has its height.
        await expect(dialog.getByText(/^(Chargement|Recherche)/)).toHaveCount(0);
        const [around, box] = [await boxOf(dialog), await boxOf(last)];
        const foot = await boxOf(last.locator('..'));
        expect(foot.bottom).toBeCloseTo(around.bottom, 0);
        expect(foot.bottom - box.bottom).toBeGreaterThanOrEqual(viewport === phoneSize ? 12 : 6);
        // The border is above.
        expect(box.y - foot.y - 1).toBeCloseTo(foot.bottom - box.bottom, 0);
        // On a phone the buttons share the width; on its side they stand at the right.
        expect(foot.right - box.right).toBeCloseTo(20, 0);
        const first = await boxOf(last.locator('..').getByRole('button').first());
        if (viewport === phoneSize) expect(first.x - foot.x).toBeCloseTo(20, 0);
        else expect(first.x - foot.x).toBeGreaterThan(foot.width / 3);
        expect(foot.width).toBeCloseTo(around.width, 0);
        await expectNoSidewaysScroll(page);
        await page.keyboard.press('Escape');
        await expect(dialog).toBeHidden();
      });
    await enterAsAdministrator(page, product, `/admin/tickets?recherche=${id}`);
    await page.getByRole('button', { name: /^Rejeter le ticket/ }).click();
    await expect(page.getByRole('heading', { name: /^Rejeter le ticket/ })).toBeInViewport({ ratio: 1 });
    const fill = (name: string) =>
      page
        .getByRole('dialog')
        .getByRole('button', { name, exact: true })
        .evaluate((button) => getComputedStyle(button).backgroundColor);
    expect(await fill('Rejeter')).not.toBe(await fill('Annuler'));
    await expectFoot('Rejeter');
    await page.getByRole('button', { name: `Ouvrir le ticket n° ${id}` }).click();
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Fermer' })).toBeInViewport({ ratio: 1 });
    await expectFoot('Rejeter');
    await page.getByRole('button', { name: 'Plus de filtres' }).click();
    await page.getByRole('button', { name: 'Tous les utilisateurs' }).click();
    await expectFoot('Fermer');
    await openTab(page, 'Services');
    await page.getByRole('button', { name: 'Importer, exporter' }).click();
    await expectFoot('Fermer');
    await page.getByRole('button', { name: 'Nouveau Service' }).click();
    await expectFoot('Enregistrer');
    await openTab(page, 'Paiements');
    await page.getByRole('button', { name: 'Nouveau type de paiement' }).click();
    await expectFoot('Créer');
    await page
      .getByRole('button', { name: /^Codes/ })
      .first()
      .click();
    await expectFoot('Fermer');
    await openTab(page, 'Utilisateurs');
    await searchBox(page).fill(person.lastName);
    for (const [action, button] of [
      ['Réinitialiser le mot de passe', 'Réinitialiser'],
      ['Supprimer définitivement', 'Supprimer définitivement'],
    ] as const) {
      await choose(page, fullName(person), action);
      await expectFoot(button);
    }
  });

test("on a desk a user's values are near their names, and deletion apart from what can be taken back @slow", async ({
  page,
  product,
}) => {
  const user = await callAs(product, personOf('Apart', '70370003'));
  await enterAsAdministrator(page, product, `/admin/users?utilisateur=${user.userId}`);
  const name = page.getByText('Téléphone', { exact: true });
  const value = page.getByText('+226 70 37 00 03');
  expect((await boxOf(value)).x - (await boxOf(name)).x).toBeLessThanOrEqual(120);
  const actions = page.getByRole('region', { name: 'Actions' });
  const placeOf = (action: string) => boxOf(actions.getByRole('button', { name: action }));
  const gap = async (one: string, other: string) => (await placeOf(other)).x - (await placeOf(one)).right;
  expect(await gap('Réinitialiser le mot de passe', 'Désactiver')).toBeLessThanOrEqual(12);
  expect(await gap('Désactiver', 'Nommer administrateur')).toBeLessThanOrEqual(12);
  expect(await gap('Nommer administrateur', 'Supprimer définitivement')).toBeGreaterThanOrEqual(48);
});

test('on a desk the account forms are alike, with their buttons at the right, and the backup card is as wide as the others, its values near their names @slow', async ({
  page,
  product,
}) => {
  await enterAsAdministrator(page, product, '/admin/settings?section=compte');
  const buttons = [
    await boxOf(inMain(page, 'Enregistrer')),
    await boxOf(inMain(page, 'Changer le mot de passe')),
  ] as const;
  expect(buttons[0].bottom).toBeCloseTo(buttons[1].bottom, 0);
  for (const { width } of buttons) expect(width).toBeLessThan(280);
  await page.goto(`${product.url}/admin/settings?section=sauvegardes`);
  const facts = page.getByRole('main').locator('dl');
  expect((await boxOf(facts)).width).toBeLessThanOrEqual(616);
  const card = facts.locator('xpath=ancestor::*[h2 or */h2 or */*/h2][1]');
  expect((await boxOf(card)).right).toBeCloseTo((await boxOf(page.getByRole('main'))).right - 16, 0);
  await inMain(page, 'Copier la commande').click();
  await expect(inMain(page, 'Copié la commande')).toBeVisible();
});

test('on a phone a new payment type has its buttons in sight, a page its mark beside its date, a reason the whole width with its buttons under it @slow', async ({
  page,
  product,
}) => {
  const admin = await callAsAdministrator(product);
  const { reasons } = (await admin.send('GET', '/api/admin/reject-reasons')) as { reasons: string[] };
  await page.setViewportSize(phoneSize);
  await enterAsAdministrator(page, product, '/admin/payments');
  await page.getByRole('button', { name: 'Nouveau type de paiement' }).click();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Créer' })).toBeInViewport({ ratio: 1 });
  await page.goto(`${product.url}/admin/content`);
  for (const slug of ['/conditions-utilisation', '/politique-confidentialite']) {
    const card = page.getByRole('listitem').filter({ hasText: slug });
    expect(await middleOf(card.getByText('Pied de page'))).toBeCloseTo(await middleOf(card.getByRole('time')), 0);
  }
  await page.goto(`${product.url}/admin/settings?section=motifs`);
  for (const place of reasons.map((_, index) => index + 1)) {
    const field = await boxOf(page.getByRole('textbox', { name: `Motif ${place}`, exact: true }));
    const button = await boxOf(page.getByRole('button', { name: `Supprimer le motif ${place}`, exact: true }));
    expect(button.y).toBeGreaterThanOrEqual(field.bottom);
    expect(button.y - field.bottom).toBeLessThanOrEqual(12);
    expect(button.right).toBeCloseTo(field.right, 0);
    expect(button.width).toBeGreaterThanOrEqual(44);
  }
});
