import { type Locator, type Page, request } from '@playwright/test';
import { formatAmount } from '#web/text/formats.ts';
import { desktopSize, phoneSize } from './browser.ts';
import { type Caller, callAs, callAsAdministrator, fileTickets, uniqueName } from './caller.ts';
import { installClock } from './clock.ts';
import { test as base, expect } from './fixtures.ts';
import { enterAsAdministrator } from './steps.ts';

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
const inTickets = (number: number) => `${grouped(number)} ${number < 2 ? 'ticket' : 'tickets'}`;
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

const chart = (page: Page, title: RegExp) => page.getByRole('figure').filter({ hasText: title });
const dayChart = (page: Page) => chart(page, /^(Tickets|Francs) par jour/);
const _serviceChart = (page: Page) => chart(page, /^Services les plus demandés/);
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
  for (const [index, id] of ids.slice(0, 5).entries()) {
    await page.setViewportSize(index % 2 ? desktopSize : phoneSize);
    await recent.nth(index).getByRole('link').click();
    await expect(page).toHaveURL(`${product.url}/admin/tickets?ticket=${id}`);
    await expect(page.getByRole('dialog', { name: `Ticket n° ${id}` })).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(`${product.url}/admin`);
  }
});

test('the chart by day: its name says its numbers, and the table behind it every day', async ({
  page,
  product,
  user,
}) => {
  const admin = await callAsAdministrator(product);
  const [rejected] = await fileTickets(user, 3);
  await admin.send('PATCH', `/api/tickets/${rejected}/status`, { status: 'rejected' });
  const { ticketsToday, francsToday } = await countAll(admin);
  await page.setViewportSize(phoneSize);
  await enterAsAdministrator(page, product);
  const figure = dayChart(page);
  const day = dayBefore(0, { day: 'numeric', month: 'long' });
  const image = (name: string) => figure.getByRole('img', { name, exact: true });
  await expect(
    image(`${inTickets(ticketsToday)} en 30 jours, au plus ${grouped(ticketsToday)} le ${day}`),
  ).toBeVisible();
  await expect(figure.getByRole('table')).toBeHidden();
  await figure.getByText('Voir le tableau').click();
  await expect(figure.getByRole('table', { name: 'Tickets par jour' })).toBeVisible();
  const [head, ...rows] = await readRows(figure);
  expect(head).toEqual(['Jour', 'Tickets', 'Francs']);
  expect(rows).toHaveLength(30);
  expect(rows.map(([name]) => name)).toEqual(rows.map((_, index) => dayBefore(29 - index, withWeekday)));
  expect(rows.at(-1)?.slice(1)).toEqual([plain(grouped(ticketsToday)), plain(grouped(francsToday))]);
  expect(rows[0]?.slice(1)).toEqual(['0', '0']);

  await page.setViewportSize(desktopSize);
  await figure.getByRole('button', { name: 'Francs' }).click();
  await expect(figure.getByRole('button', { name: 'Francs' })).toHaveAttribute('aria-pressed', 'true');
  await expect(figure.getByRole('button', { name: 'Tickets' })).toHaveAttribute('aria-pressed', 'false');
  const francs = formatAmount(francsToday);
  await expect(image(`${francs} en 30 jours, au plus ${francs} le ${day}`)).toBeVisible();
  await expect(figure.getByRole('table', { name: 'Francs par jour' })).toBeVisible();
  await figure.getByRole('button', { name: 'Tickets' }).click();
  await expect(
    image(`${inTickets(ticketsToday)} en 30 jours, au plus ${grouped(ticketsToday)} le ${day}`),
  ).toBeVisible();
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

test('the card of what is pending opens those tickets, and says so when nothing is', async ({
  page,
  product,
  user,
}) => {
  await fileTickets(user, 1);
  await enterAsAdministrator(page, product);
  const borderOf = (name: RegExp) =>
    page
      .getByRole('link', { name })
      .locator('> div')
      .evaluate((card) => getComputedStyle(card).borderColor);
  expect(await borderOf(/^En attente .*Nécessite attention$/)).not.toBe(
    await borderOf(/^Utilisateurs \d.*aujourd'hui$/),
  );
  await page.getByRole('link', { name: /^En attente .*Nécessite attention$/ }).click();
  await expect(page).toHaveURL(`${product.url}/admin/tickets?statut=pending`);
  await expect(page.getByLabel('Statut')).toHaveValue('pending');
  await page.route('**/api/admin/dashboard?*', async (route) => {
    const figures = await (await route.fetch()).json();
    await route.fulfill({ json: { ...figures, tickets: { ...figures.tickets, pending: 0 } } });
  });
  await page.goto(`${product.url}/admin`);
  await expect(page.getByText("Rien n'attend")).toBeVisible();
  await expect.poll(() => readCard(page, 'En attente')).toEqual(['0', "Rien n'attend"]);
  await expect(page.getByText('Nécessite attention')).toBeHidden();
});

test('follows by itself what happens, and closes nothing that is open', async ({ page, product, user }) => {
  const admin = await callAsAdministrator(product);
  await fileTickets(user, 1);
  await installClock(page);
  await enterAsAdministrator(page, product);
  await dayChart(page).getByRole('button', { name: 'Francs' }).click();
  await dayChart(page).getByText('Voir le tableau').click();
  const { tickets, ticketsToday } = await countAll(admin);
  const first = [grouped(tickets), `+${grouped(ticketsToday)} aujourd'hui`];
  await expect.poll(() => readCard(page, 'Tickets')).toEqual(first);
  await fileTickets(user, 2);
  await page.clock.runFor(30_000);
  const cells = [grouped(tickets + 2), `+${grouped(ticketsToday + 2)} aujourd'hui`];
  await expect.poll(() => readCard(page, 'Tickets')).toEqual(cells);
  await expect(dayChart(page).getByRole('table', { name: 'Francs par jour' })).toBeVisible();
  await expect.poll(async () => (await readRows(dayChart(page))).at(-1)?.[1]).toBe(grouped(ticketsToday + 2));
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
