import { type Locator, type Page, request } from '@playwright/test';
import { formatAmount } from '#web/text/formats.ts';
import { untilAnswered } from './answers.ts';
import { desktopSize, phoneSize } from './browser.ts';
import { type Caller, callAs, callAsAdministrator, fileTickets, uniqueName } from './caller.ts';
import { installClock } from './clock.ts';
import { test as base, expect } from './fixtures.ts';
import { enterAs, enterAsAdministrator, openTab, type Tab, withMenu } from './steps.ts';

interface Ticket {
  id: number;
  serviceId: number | null;
  status: 'pending' | 'approved' | 'rejected';
  totalPrice: string;
  createdAt: string;
}

/** One user files all tickets of this file, shared by the worker's tests: each number costs a code by SMS. */
const test = base.extend<object, { user: Caller }>({
  user: [
    async ({ product }, use) => {
      const user = await callAs(product, { firstName: 'Chiffre', lastName: 'Sanou', phone: '70320000' });
      await use(user);
      await user.end();
    },
    { scope: 'worker' },
  ],
});

test.use({ viewport: desktopSize });

/** The expected figures, counted one by one from the API's lists; Ouagadougou's days are UTC's. */
async function countAll(admin: Caller) {
  const users = (await admin.send('GET', '/api/admin/users?limit=1000')) as { createdAt: string }[];
  const services = (await admin.send('GET', '/api/admin/services')) as { isVisible: boolean }[];
  const tickets = (await admin.send('GET', '/api/admin/tickets?limit=1000')) as Ticket[];
  const today = new Date().toISOString().slice(0, 10);
  const isToday = ({ createdAt }: { createdAt: string }) => createdAt.startsWith(today);
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
const dayBefore = (days: number, format: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('fr-FR', { timeZone: 'UTC', ...format })
    .format(Date.now() - days * 86_400_000)
    .replace(/\b1 /, '1er ');
const withWeekday = { weekday: 'long', day: 'numeric', month: 'long' } as const;

/** The lines of a card: its count and its note. */
async function readCard(page: Page, name: string): Promise<string[]> {
  const card = page.locator('div:has(> span.block)').filter({ has: page.getByText(name, { exact: true }) });
  await expect(card).toBeVisible();
  return (await card.locator('span').allTextContents()).slice(1).map(plain);
}

/** The table of a chart, its head first. */
const readRows = async (figure: Locator) => {
  const read = (rows: Element[]) =>
    (rows as HTMLTableRowElement[]).map((row) => [...row.cells].map((cell) => cell.textContent));
  return (await figure.locator('tr').evaluateAll(read)).map((row) => row.map(plain));
};

test('cards count users and those of today, services and the visible ones, tickets and those of today, and what needs attention', async ({
  page,
  product,
  user,
}) => {
  const admin = await callAsAdministrator(product);
  await fileTickets(user, 1);
  await page.setViewportSize(phoneSize);
  await enterAsAdministrator(page, product);
  const expectCards = async () => {
    const now = await countAll(admin);
    const cards = {
      Utilisateurs: [grouped(now.users), `+${grouped(now.usersToday)} aujourd'hui`],
      Services: [grouped(now.services), `${grouped(now.visible)} visibles`],
      Tickets: [grouped(now.tickets), `+${grouped(now.ticketsToday)} aujourd'hui`],
      'En attente': [grouped(now.pending), 'Nécessite attention'],
    };
    for (const [name, lines] of Object.entries(cards))
      await expect.poll(() => readCard(page, name)).toEqual(lines.map(plain));
    return now;
  };
  const before = await expectCards();

  const visitor = await request.newContext({ baseURL: product.url });
  expect((await visitor.post('/api/auth/guest')).ok()).toBe(true);
  const hidden = await admin.sendForm('POST', '/api/services', { name: uniqueName('Caché'), isVisible: false });
  await fileTickets(user, 2);
  await page.setViewportSize(desktopSize);
  await page.reload();
  await expect(page.getByText('Nécessite attention')).toBeVisible();
  const after = await expectCards();
  expect(after.users - before.users).toBe(1);
  expect(after.services - before.services).toBe(1);
  expect(after.visible).toBe(before.visible);
  expect(after.tickets - before.tickets).toBe(2);
  expect(after.pending - before.pending).toBe(2);
  await admin.send('DELETE', `/api/admin/services/${(hidden as { id: number }).id}`);
});

test('recent activity: the five last tickets with number, service, date, total and status, each of which opens', async ({
  page,
  product,
  user,
}) => {
  const admin = await callAsAdministrator(product);
  const ids = (await fileTickets(user, 6)).toReversed();
  await admin.send('PATCH', `/api/tickets/${ids[0]}/status`, { status: 'approved' });
  await admin.send('PATCH', `/api/tickets/${ids[1]}/status`, { status: 'rejected' });
  const dateOf = async (id: number) => {
    const { createdAt } = (await admin.send('GET', `/api/admin/tickets/${id}`)) as Ticket;
    const format = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'short', timeStyle: 'short', timeZone: 'UTC' });
    return format.format(new Date(createdAt)).replace(`/${new Date().getFullYear()}`, '');
  };
  const badges = ['Approuvé', 'Rejeté', 'En attente', 'En attente', 'En attente'];
  const expected = await Promise.all(
    badges.map(async (badge, index) => {
      const id = ids[index] ?? 0;
      return `n° ${grouped(id)} Bouquet Access ${await dateOf(id)} · 5100 FCFA ${badge}`.replace(/\s/g, '');
    }),
  );
  await enterAsAdministrator(page, product);
  await expect(page.getByRole('heading', { name: 'Activité récente' })).toBeInViewport();
  const recent = page.getByRole('list', { name: 'Activité récente' }).getByRole('listitem');
  for (const size of [desktopSize, phoneSize]) {
    await page.setViewportSize(size);
    await expect
      .poll(async () => (await recent.allInnerTexts()).map((text) => text.replace(/\s/g, '')))
      .toEqual(expected);
  }
  await recent.first().getByRole('link').click();
  await expect(page.getByRole('dialog', { name: `Ticket n° ${ids[0]}` })).toBeVisible();
});

test('the chart by day: its name says its numbers, the table every day, and both follow what happens', async ({
  page,
  product,
  user,
}) => {
  const admin = await callAsAdministrator(product);
  const [rejected] = await fileTickets(user, 3);
  await admin.send('PATCH', `/api/tickets/${rejected}/status`, { status: 'rejected' });
  const { ticketsToday, francsToday } = await countAll(admin);
  await page.setViewportSize(phoneSize);
  await installClock(page);
  await enterAsAdministrator(page, product);
  const figure = page.getByRole('figure').filter({ hasText: /^(Tickets|Francs) par jour/ });
  const day = dayBefore(0, { day: 'numeric', month: 'long' });
  const image = (name: string) => figure.getByRole('img', { name, exact: true });
  const inTickets = `${grouped(ticketsToday)} tickets en 30 jours, au plus ${grouped(ticketsToday)} le ${day}`;
  await expect(image(inTickets)).toBeVisible();
  const bars = image(inTickets).locator('[title]');
  await expect(bars).toHaveCount(30);
  const heightOf = (bar: Locator) => bar.locator('span').evaluate((drawn) => drawn.getBoundingClientRect().height);
  expect(await heightOf(bars.last())).toBeGreaterThan(20);
  expect(await heightOf(bars.first())).toBe(0);
  await expect(figure.getByRole('table')).toBeHidden();
  await figure.getByText('Voir le tableau').click();
  const [head, ...rows] = await readRows(figure);
  expect(head).toEqual(['Jour', 'Tickets', 'Francs']);
  expect(rows.map(([name]) => name)).toEqual(
    Array.from({ length: 30 }, (_, index) => dayBefore(29 - index, withWeekday)),
  );
  expect(rows.at(-1)?.slice(1)).toEqual([plain(grouped(ticketsToday)), plain(grouped(francsToday))]);

  await figure.getByRole('button', { name: 'Francs' }).click();
  await expect(figure.getByRole('button', { name: 'Francs' })).toHaveAttribute('aria-pressed', 'true');
  const francs = formatAmount(francsToday);
  await expect(image(`${francs} en 30 jours, au plus ${francs} le ${day}`)).toBeVisible();
  await fileTickets(user, 2);
  await page.clock.runFor(30_000);
  await expect.poll(async () => (await readRows(figure)).at(-1)?.[1]).toBe(grouped(ticketsToday + 2));
  await expect(figure.getByRole('table', { name: 'Francs par jour' })).toBeVisible();
});

test('breakdown: a bar each for the approved, the pending and the rejected, as long as its share', async ({
  page,
  product,
  user,
}) => {
  const admin = await callAsAdministrator(product);
  const before = await countAll(admin);
  const [first, second] = await fileTickets(user, 3);
  await admin.send('PATCH', `/api/tickets/${first}/status`, { status: 'approved' });
  await admin.send('PATCH', `/api/tickets/${second}/status`, { status: 'rejected' });
  const after = await countAll(admin);
  await enterAsAdministrator(page, product);
  await expect(page.getByRole('heading', { name: 'Répartition' })).toBeVisible();
  const bars = [
    ['Approuvés', 'approved'],
    ['En attente', 'pending'],
    ['Rejetés', 'rejected'],
  ] as const;
  const shares = page.getByRole('list', { name: 'Répartition' }).getByRole('listitem');
  await expect(shares).toHaveCount(3);
  for (const [index, [label, status]] of bars.entries()) {
    const bar = shares.nth(index);
    await expect(bar.locator('span').first()).toHaveText(label);
    expect(after[status] - before[status]).toBe(1);
    await expect(bar.locator('span').last()).toHaveText(grouped(after[status]));
    const share = Math.max(after[status] / after.tickets, 0.02);
    const readShare = async () => {
      const [whole, part] = await bar
        .locator('rect')
        .evaluateAll((rects) => rects.map((rect) => rect.getBoundingClientRect().width));
      return (part ?? 0) / (whole ?? 1);
    };
    await expect.poll(readShare).toBeCloseTo(share, 2);
  }
});

test('figures that cannot be loaded are told, with another try', async ({ page, product, provoke }) => {
  provoke('500 /api/admin/dashboard');
  await page.route('**/api/admin/dashboard?*', (route) => route.fulfill({ status: 500, body: '' }));
  await enterAsAdministrator(page, product);
  await expect(page.getByText('Impossible de charger les chiffres.')).toBeVisible();
  await page.unroute('**/api/admin/dashboard?*');
  await page.getByRole('button', { name: 'Réessayer' }).click();
  await expect(page.getByRole('heading', { name: 'Répartition' })).toBeVisible();
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

test('P13.8 the menu and the cards are links: another tab of the browser opens them, with the filters', async ({
  page,
  product,
}) => {
  await enterAsAdministrator(page, product, '/admin/tickets?statut=approved&ordre=anciens');
  const menu = page.getByRole('navigation', { name: 'Administration' });
  await menu.getByRole('link', { name: 'Tableau de bord' }).click();
  await expect(page).toHaveURL(`${product.url}/admin`);
  for (const [name, to] of Object.entries({ Utilisateurs: 'users', Services: 'services', Tickets: 'tickets' }))
    await expect(page.getByRole('main').getByRole('link', { name: new RegExp(`^${name} `) })).toHaveAttribute(
      'href',
      `/admin/${to}`,
    );
  const opening = page.context().waitForEvent('page');
  await menu.getByRole('link', { name: /^Tickets/ }).click({ button: 'middle' });
  const opened = await opening;
  await expect(opened.getByLabel('Ordre')).toHaveValue('anciens');
  await expect(opened.getByLabel('Statut')).toHaveValue('approved');
  await expect(page).toHaveURL(`${product.url}/admin`);
  await opened.close();
});
