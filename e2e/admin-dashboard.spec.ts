import type { Locator, Page } from '@playwright/test';
import { untilAnswered } from './answers.ts';
import { desktopSize, phoneSize } from './browser.ts';
import { type Caller, callAs, callAsAdministrator, fileTickets } from './caller.ts';
import { noonZone, seeAgain } from './clock.ts';
import { expect, test } from './fixtures.ts';
import { openAccount, viewAddress } from './incoming.ts';
import { expectNoSidewaysScroll } from './layout.ts';
import { enterAs, enterAsAdministrator, openTab, stored, type Tab, withMenu } from './steps.ts';

interface Ticket {
  id: number;
  serviceId: number | null;
  status: 'pending' | 'approved' | 'rejected';
  totalPrice: string;
  createdAt: string;
}

test.use({ viewport: desktopSize, timezoneId: noonZone });

/** A day of the administrator's clock, and which one it is. */
const dayOf = (instant: number | string, format: Intl.DateTimeFormatOptions = { dateStyle: 'short' }) =>
  new Intl.DateTimeFormat('fr-FR', { timeZone: noonZone, ...format }).format(new Date(instant));

/** The expected figures, counted one by one from the API's lists. */
async function countAll(admin: Caller) {
  const users = (await admin.send('GET', '/api/admin/users?limit=1000')) as { createdAt: string }[];
  const services = (await admin.send('GET', '/api/admin/services')) as { isVisible: boolean }[];
  const tickets = (await admin.send('GET', '/api/admin/tickets?limit=1000')) as Ticket[];
  const isToday = ({ createdAt }: { createdAt: string }) => dayOf(createdAt) === dayOf(Date.now());
  const standing = (status: string) => tickets.filter((ticket) => ticket.status === status).length;
  const ofToday = tickets.filter(isToday);
  return {
    users: users.length,
    usersToday: users.filter(isToday).length,
    services: services.length,
    visible: services.filter(({ isVisible }) => isVisible).length,
    tickets: tickets.length,
    ticketsToday: ofToday.length,
    francsToday: ofToday.reduce((sum, each) => sum + (each.status === 'rejected' ? 0 : Number(each.totalPrice)), 0),
    approved: standing('approved'),
    pending: standing('pending'),
    rejected: standing('rejected'),
  };
}

const grouped = (number: number) => new Intl.NumberFormat('fr-FR').format(number);
/** Normalises the blanks inside numbers, which are of several kinds. */
const plain = (text: string | null) => (text ?? '').replace(/\s/g, ' ');

/** The lines of a card: its count and its note. */
async function readCard(page: Page, name: string): Promise<string[]> {
  const card = page.locator('div:has(> span.block)').filter({ has: page.getByText(name, { exact: true }) });
  await expect(card).toBeVisible();
  return (await card.locator('span').allTextContents()).slice(1).map(plain);
}

test('cards, recent activity, the chart by day and the breakdown show what the lists hold, and follow what happens', async ({
  page,
  product,
}) => {
  const user = await callAs(product, { firstName: 'Chiffre', lastName: 'Sanou', phone: '70320000' });
  const admin = await callAsAdministrator(product);
  const ids = (await fileTickets(user, 6)).toReversed();
  await admin.send('PATCH', `/api/tickets/${ids[0]}/status`, { status: 'approved' });
  await admin.send('PATCH', `/api/tickets/${ids[1]}/status`, { status: 'rejected' });
  const now = await countAll(admin);
  await enterAsAdministrator(page, product);
  const cards = {
    Utilisateurs: [grouped(now.users), `+${grouped(now.usersToday)} aujourd'hui`],
    Services: [grouped(now.services), `${grouped(now.visible)} visibles`],
    Tickets: [grouped(now.tickets), `+${grouped(now.ticketsToday)} aujourd'hui`],
    'En attente': [grouped(now.pending), 'Nécessite attention'],
  };
  for (const [name, lines] of Object.entries(cards))
    await expect.poll(() => readCard(page, name)).toEqual(lines.map(plain));

  const recent = page.getByRole('list', { name: 'Activité récente' }).getByRole('listitem');
  await expect(recent).toHaveCount(5);
  for (const [index, badge] of ['Approuvé', 'Rejeté', 'En attente'].entries()) {
    await expect(recent.nth(index)).toContainText(new RegExp(`n°\\s${grouped(ids[index] ?? 0)}`));
    await expect(recent.nth(index)).toContainText(/Bouquet Access.*5.100\sFCFA/s);
    await expect(recent.nth(index)).toContainText(badge);
  }

  const shares = page.getByRole('list', { name: 'Répartition' }).getByRole('listitem');
  for (const [index, [label, count]] of [
    ['Approuvés', now.approved] as const,
    ['En attente', now.pending] as const,
    ['Rejetés', now.rejected] as const,
  ].entries()) {
    await expect(shares.nth(index).locator('span').first()).toHaveText(label);
    await expect(shares.nth(index).locator('span').last()).toHaveText(grouped(count));
    const [whole = 1, part = 0] = await shares
      .nth(index)
      .locator('rect')
      .evaluateAll((rects) => rects.map((rect) => rect.getBoundingClientRect().width));
    expect(part / whole).toBeCloseTo(Math.max(count / now.tickets, 0.02), 2);
  }

  // The chart's name says its numbers.
  const figure = page.getByRole('figure').filter({ hasText: /^Tickets par jour/ });
  const day = dayOf(Date.now(), { day: 'numeric', month: 'long' }).replace(/\b1 /, '1er ');
  const summary = figure.getByRole('img');
  const nameOf = async () => plain(await summary.getAttribute('aria-label'));
  expect(await nameOf()).toMatch(new RegExp(`^${plain(grouped(now.ticketsToday))} tickets en 30 jours, `));
  expect(await nameOf()).toContain(`, ${plain(grouped(now.francsToday))} FCFA ; au plus`);
  expect(await nameOf()).toMatch(new RegExp(`au plus ${plain(grouped(now.ticketsToday))} le ${day}$`));
  await expect(summary.locator('[title]')).toHaveCount(30);
  await fileTickets(user, 1);
  await seeAgain(page);
  await expect.poll(nameOf).toMatch(new RegExp(`^${plain(grouped(now.ticketsToday + 1))} tickets`));
  await recent.nth(1).getByRole('link').click();
  await expect(page.getByRole('dialog', { name: `Ticket n° ${ids[0]}` })).toBeVisible();
});

test('what is to do stands first, with since when and the way there', async ({ page, product }) => {
  const user = await callAs(product, { firstName: 'Attente', lastName: 'Sanou', phone: '70320019' });
  await fileTickets(user, 1);
  await page.route('**/api/admin/dashboard?*', async (route) => {
    const figures = await (await route.fetch()).json();
    const oldestPending = new Date(Date.now() - 3 * 3_600_000).toISOString();
    const unsigned = { count: 2, oldest: { accountId: 7, day: '2026-11-21' } };
    await route.fulfill({ json: { ...figures, oldestPending, unsigned } });
  });
  await page.route('**/api/admin/payments/count', (route) =>
    route.fulfill({ json: { found: 0, oldestFound: null, unread: 1, oldestUnread: new Date().toISOString() } }),
  );
  await enterAsAdministrator(page, product);
  const tasks = page.getByRole('list', { name: 'À faire' }).getByRole('listitem');
  await expect(tasks).toHaveText([
    /^\d+tickets? en attentedepuis 3\sh.*file d'attente$/,
    /^0paiement trouvé$/,
    /^1message non ludepuis moins d'une minuteLire les messages$/,
    /^2journées à signerdepuis le 21 novembreVoir la journée$/,
  ]);
  await expect(tasks.nth(3).getByRole('link')).toHaveAttribute('href', /vue=cloture&compte=7&jour=2026-11-21$/);
  await tasks.first().getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1, name: "File d'attente" })).toBeVisible();
});

test('alarms stand in a line each, with what to do and the way there; one that is understood goes, and comes back where it begins anew', async ({
  page,
  product,
}) => {
  const what = "Aucune sauvegarde n'a réussi depuis plus de 36 heures.";
  const advice = 'Sur le serveur, vérifiez le dossier des sauvegardes.';
  const backup = {
    key: 'backup',
    level: 'critical',
    message: `${what} ${advice}`,
    advice,
    since: '2026-03-02T11:05:00.000Z',
  };
  const disk = {
    ...backup,
    key: 'disk',
    level: 'warning',
    message: `Il reste 8 % d'espace sur le disque de /srv/${'tres-long-'.repeat(12)}.`,
    advice: '',
  };
  let alarms = [backup, disk];
  await page.route('**/api/admin/dashboard?*', async (route) => {
    const figures = await (await route.fetch()).json();
    await route.fulfill({ json: { ...figures, alarms } });
  });
  await enterAsAdministrator(page, product);
  const lines = page.getByRole('list', { name: 'Alarmes' }).getByRole('listitem');
  await expect(lines).toHaveCount(2);
  const first = lines.first();
  await expect(first.getByRole('link', { name: 'Voir les sauvegardes' })).toHaveAttribute(
    'href',
    '/admin/settings?section=sauvegardes',
  );
  await expect(first.getByText(advice)).toBeHidden();
  await first.getByText(what).click();
  await expect(first.getByText(advice)).toBeVisible();
  await expect(first.getByText(/^Depuis le 2 mars 2026 à \d\d:05$/)).toBeVisible();
  await page.setViewportSize(phoneSize);
  await expectNoSidewaysScroll(page);
  await first.getByRole('button', { name: 'Compris' }).click();
  await expect(lines).toHaveCount(1);
  await page.reload();
  await expect(lines).toHaveText([/Il reste 8 %/]);
  await expect(page.getByRole('button', { name: 'Montrer 1 alarme comprise' })).toBeVisible();
  alarms = [{ ...backup, since: '2026-03-09T11:05:00.000Z' }, disk];
  await seeAgain(page);
  await expect(lines).toHaveCount(2);
  alarms = [];
  await seeAgain(page);
  await expect(lines).toHaveCount(0);
});

const tabs: [tab: Tab, path: string, heading: string][] = [
  ['Tableau de bord', '/admin', 'Tableau de bord'],
  ['Services', '/admin/services', 'Gestion Hiérarchique des Services'],
  ['Tickets', '/admin/tickets', 'Tickets'],
  ['Utilisateurs', '/admin/users', 'Utilisateurs'],
  ['Paiements', '/admin/payments', 'Paiements'],
  ['Contenu', '/admin/content', 'Contenu'],
  ['Paramètres', '/admin/settings', 'Paramètres'],
];

test('the seven tabs in their order, each at its own address, which opens it again; the menu folds, and its links open another tab', async ({
  page,
  product,
}) => {
  await enterAsAdministrator(page, product, '/');
  await expect(page).toHaveURL(`${product.url}/admin`);
  const menu = page.getByRole('navigation', { name: 'Administration' });
  const names = (await menu.getByRole('link').or(menu.getByRole('button')).allInnerTexts()).map((text) =>
    text.replace(/\s+\d.*$/s, '').trim(),
  );
  expect(names.filter((name) => name !== '')).toEqual([...tabs.map(([tab]) => tab), 'Se déconnecter']);
  for (const [tab, path, heading] of tabs) {
    await openTab(page, tab);
    await expect(page.getByRole('heading', { level: 1, name: heading, exact: true })).toBeVisible();
    expect(new URL(page.url()).pathname).toBe(path);
    await expect(page).toHaveTitle(`${tab} · Guichet`);
  }
  await page.getByRole('button', { name: 'Replier le menu' }).click();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Déplier le menu' })).toBeVisible();
  await menu.getByRole('link', { name: 'Paiements' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Paiements' })).toBeVisible();
  await page.getByRole('button', { name: 'Déplier le menu' }).click();

  // A tab is as it was left, P13.8: also in another tab of the browser.
  await page.goto(`${product.url}/admin/tickets?statut=approved&periode=week`);
  await expect(page.getByRole('combobox', { name: 'Statut' })).toHaveValue('approved');
  await openTab(page, 'Tableau de bord');
  await expect(page).toHaveURL(`${product.url}/admin`);
  await expect(page.getByRole('main').getByRole('link', { name: /^Utilisateurs / })).toHaveAttribute(
    'href',
    '/admin/users',
  );
  const opening = page.context().waitForEvent('page');
  await menu.getByRole('link', { name: /^Tickets/ }).click({ button: 'middle' });
  const opened = await opening;
  await expect(opened.getByRole('combobox', { name: 'Date' })).toHaveValue('week');
  await opened.close();
  await openTab(page, 'Tickets');
  await expect(page.getByRole('combobox', { name: 'Statut' })).toHaveValue('approved');
});

test('on a phone the menu is a drawer: closed by Escape, by its cross and by a tap beside it, it gives the focus back; signing out leads to /auth', async ({
  page,
  product,
}) => {
  await page.setViewportSize(phoneSize);
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
  await withMenu(page, (menu) => menu.getByRole('button', { name: 'Se déconnecter' }).click());
  await expect(page.getByText('Déconnexion réussie')).toBeVisible();
  await expect(page).toHaveURL(`${product.url}/auth`);
  expect(await stored(page, 'guichet_user')).toBeNull();
  await page.goto(`${product.url}/admin/users`);
  await expect(page).toHaveURL(`${product.url}/`);
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

/** The entries of the journal: rows on a desktop, cards on a phone. */
function lines(page: Page): Locator {
  const table = page.getByRole('table', { name: "Journal d'audit" }).locator(':scope > tbody > [data-row]');
  return table.or(page.getByRole('list', { name: "Journal d'audit" }).locator(':scope > li'));
}

test('the audit journal: who did what to what; a name and an object filter it, in its address', async ({
  page,
  product,
}) => {
  const admin = await callAsAdministrator(product);
  const user = await callAs(product, { firstName: 'Journal', lastName: 'Lu', phone: '70340260' });
  const [ticket = 0, other = 0] = await fileTickets(user, 2);
  for (const id of [ticket, other]) await admin.send('PATCH', `/api/tickets/${id}/status`, { status: 'approved' });
  await admin.send('PATCH', `/api/tickets/${ticket}/status`, { status: 'rejected' });
  const me = (await admin.send('GET', `/api/admin/users/${admin.userId}`)) as { firstName: string; lastName: string };
  const name = `${me.firstName} ${me.lastName}`.trim();
  await enterAsAdministrator(page, product, '/admin/settings?section=journal');
  const target = page.getByRole('link', { name: `Ticket n° ${ticket}`, exact: true });
  const line = lines(page).filter({ has: target }).filter({ hasText: 'En attente → Approuvé' });
  await expect(line).toHaveCount(1);
  await expect(line).toContainText('Ticket décidé');
  await expect(line.getByRole('link', { name })).toBeVisible();
  await expect(line).toContainText('127.0.0.1');
  await expect(line.getByRole('time')).toContainText(dayOf(Date.now(), { day: '2-digit', month: '2-digit' }));

  await line.getByRole('link', { name: `Ticket n° ${ticket}` }).click();
  await expect(page.getByText('Affichage de 2 lignes sur 2 au total')).toBeVisible();
  await page.reload();
  await expect(lines(page)).toHaveText([/Approuvé → Rejeté/, /En attente → Approuvé/]);
  await lines(page).first().getByRole('link', { name }).click();
  await expect(page.getByLabel('Qui')).toHaveValue(`n${admin.userId}`);
  await expect(lines(page).filter({ hasText: `Ticket n° ${other}` })).toHaveCount(1);
  await page.getByRole('button', { name: `Retirer « ${name} »` }).click();
  await expect(page).not.toHaveURL(/acteur=/);
  await page.getByLabel('Sur quoi').selectOption('user');
  await expect(lines(page).filter({ hasText: 'Ticket décidé' })).toHaveCount(0);
  await page.getByLabel('Sur quoi').selectOption('ticket');

  await line.getByRole('link', { name: `Ticket n° ${ticket}` }).click();
  await page
    .getByRole('paragraph')
    .filter({ has: page.getByRole('button', { name: 'Montrer tous les objets' }) })
    .getByRole('link')
    .click();
  await expect(page.getByRole('dialog', { name: `Ticket n° ${ticket}` })).toBeVisible();
});

test('what somebody types into an address and is no value of it is ignored', async ({ page, product }) => {
  await openAccount(product);
  const journal = '/admin/settings?section=journal';
  const long = 'x'.repeat(500);
  await enterAsAdministrator(page, product);
  for (const address of [
    `${journal}&acteur=-3`,
    `${journal}&acteur=9999999999`,
    `${journal}&objet=ticket&cible=1.5`,
    '/admin/tickets?utilisateur=9999999999',
    '/admin/tickets?ticket=-3',
    `/admin/tickets?recherche=${long}`,
    `/admin/users?recherche=${long}`,
    '/admin/users?recherche=%00',
    `${viewAddress('tous')}&recherche=${long}`,
    `${viewAddress('cloture')}&jour=2025-02-30`,
  ]) {
    await page.goto(product.url + address);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await untilAnswered(page);
    await expect(page.getByRole('button', { name: 'Réessayer' })).toHaveCount(0);
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
});
