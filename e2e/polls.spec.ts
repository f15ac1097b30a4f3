import { countRequests, untilAnswered } from './answers.ts';
import { test as branchTest } from './branch.ts';
import { type Caller, callAs, callAsAdministrator, fileTickets } from './caller.ts';
import { installClock, runUntilAnswer, setHidden, stopClock, untilAnswer } from './clock.ts';
import { watchEtags } from './etags.ts';
import { expect, test } from './fixtures.ts';
import { password } from './people.ts';
import type { Product } from './product.ts';
import { changedDuring } from './renders.ts';
import { enterAs, enterAsAdministrator, enterBy, signIn, stored } from './steps.ts';

const ticketsPath = /^\/api\/tickets\/user\/\d+$/;
const backgroundPath = /^\/api\/admin\/background-settings$/;

/** A person with a ticket, before the first screen. */
async function makePerson(
  product: Product,
  phone: string,
): Promise<{ firstName: string; phone: string; user: Caller }> {
  const firstName = 'Fatoumata';
  const user = await callAs(product, { firstName, lastName: 'Sondage', phone });
  await fileTickets(user, 1);
  return { firstName, phone, user };
}

test('a poll sends the ETag of what it has; a 304 leaves it all, its length too, and counts as an answer @slow', async ({
  page,
  product,
}) => {
  const admin = await callAsAdministrator(product);
  await installClock(page);
  const { user } = await makePerson(product, '77020001');
  const [id] = await fileTickets(user, 1);
  await enterBy(page, product, user.entrance);
  const asked = watchEtags(page, ticketsPath);
  await page.getByRole('link', { name: 'Tickets' }).click();
  await expect(page.getByText('En attente', { exact: true })).toHaveCount(2);
  await untilAnswered(page);
  await stopClock(page);
  await runUntilAnswer(page, ticketsPath, 5_000);
  const first = asked.at(-1);
  await page.evaluate(() => localStorage.removeItem('guichet_line'));
  await runUntilAnswer(page, ticketsPath, 5_000);
  expect(asked.at(-1)).toMatchObject({ etag: expect.stringMatching(/^W\/"/), status: 304 });
  expect(Number(await stored(page, 'guichet_line')), 'the line gave an answer').toBeGreaterThan(0);
  await expect(page.getByText('En attente', { exact: true })).toHaveCount(2);

  await admin.send('PATCH', `/api/tickets/${id}/status`, { status: 'approved' });
  await runUntilAnswer(page, ticketsPath, 5_000);
  expect(asked.at(-1)?.status).toBe(200);
  await expect(page.getByText('Approuvé', { exact: true })).toHaveCount(1);
  await runUntilAnswer(page, ticketsPath, 5_000);
  expect(asked.at(-1)?.status, 'the new one is known by its own').toBe(304);
  expect(asked.at(-1)?.etag).not.toBe(first?.etag);
});

test('a visit begins with the ETags of the last one, and those of nobody else @slow', async ({ page, product }) => {
  const { phone } = await makePerson(product, '77020002');
  const other = await makePerson(product, '77020003');
  const asked = watchEtags(page, /^\/api\/(tickets\/user\/\d+|services|payment-types)$/);
  await signIn(page, product, phone, password, 'Bonjour Fatoumata');
  await page.goto(`${product.url}/tickets`);
  await expect(page.getByText('En attente', { exact: true })).toHaveCount(1);
  await untilAnswered(page);
  asked.length = 0;
  await page.reload();
  await expect(page.getByText('En attente', { exact: true })).toHaveCount(1);
  await expect.poll(() => asked.length).toBeGreaterThan(1);
  expect(asked.map(({ status }) => status)).not.toContain(200);

  await page.getByRole('link', { name: 'Paramètres' }).click();
  await page.getByRole('button', { name: 'Se déconnecter' }).click();
  await expect(page.getByRole('tab', { name: 'Connexion' })).toBeVisible();
  asked.length = 0;
  await signIn(page, product, other.phone, password, 'Bonjour Fatoumata');
  await page.getByRole('link', { name: 'Tickets' }).click();
  await expect(page.getByText('En attente', { exact: true })).toHaveCount(1);
  await untilAnswered(page);
  // The next person's first requests are unconditional.
  const firsts = new Map(asked.toReversed().map((each) => [each.path, each]));
  expect(firsts.size).toBeGreaterThan(1);
  for (const { path, etag, status } of firsts.values()) expect({ path, etag, status }).toEqual({ path, status: 200 });
});

test('a 304 to a question that had no ETag is asked once more @slow', async ({ page, product }) => {
  const { user } = await makePerson(product, '77020004');
  await enterBy(page, product, user.entrance);
  // Home asks for the tickets, too: it could be the one that gets the 304, or store them again.
  await page.goto('about:blank');
  await page.addInitScript(() => {
    for (const key of Object.keys(localStorage)) if (key.includes('/api/tickets')) localStorage.removeItem(key);
  });
  let wrong = 0;
  await page.route(
    (url) => ticketsPath.test(url.pathname),
    (route) => {
      wrong += 1;
      expect(route.request().headers()['if-none-match']).toBeUndefined();
      return route.fulfill({ status: 304 });
    },
    { times: 1 },
  );
  await page.goto(`${product.url}/tickets`);
  await expect(page.getByText('En attente', { exact: true })).toHaveCount(1);
  expect(wrong).toBe(1);
});

const screens = [
  { tab: 'Tickets', what: 'tickets', path: ticketsPath, everyMs: 5_000 },
  { tab: 'Notifications', what: 'notifications', path: /^\/api\/notifications\/user\/\d+$/, everyMs: 10_000 },
  { tab: 'Accueil', what: 'the unread count', path: /\/unread-count$/, everyMs: 30_000 },
];

for (const [index, { tab, what, path, everyMs }] of screens.entries())
  test(`nothing is asked in a hidden tab, and ${what} at once, once, when it is seen again @slow`, async ({
    page,
    product,
  }) => {
    await installClock(page);
    await enterAs(page, product, { firstName: 'Cachée', lastName: 'Sondage', phone: `7702010${index}` });
    await page.getByRole('link', { name: tab }).click();
    await untilAnswered(page);
    await page.clock.runFor(1_000);
    await untilAnswered(page);
    await stopClock(page);
    const asked = countRequests(page, 'GET', path);
    const background = countRequests(page, 'GET', backgroundPath);
    const services = countRequests(page, 'GET', /^\/api\/services/);
    const anything = countRequests(page, 'GET', /^\/api\//);
    await setHidden(page, true);
    await page.clock.runFor(900_000);
    await untilAnswered(page);
    expect(anything.count(), 'while it is hidden').toBe(0);

    await untilAnswer(page, path, () => setHidden(page, false));
    await expect.poll(background.count).toBe(1);
    expect(asked.count()).toBe(1);
    expect(services.count(), 'what is not polled').toBe(0);
    // From there on at its period again.
    await page.clock.runFor(everyMs - 20);
    await untilAnswered(page);
    expect(asked.count()).toBe(1);
    await runUntilAnswer(page, path, 40);
    expect(asked.count()).toBe(2);
    expect(background.count()).toBe(1);
  });

for (const [address, path] of [
  ['/admin/tickets', /^\/api\/admin\/tickets$/],
  ['/admin/services', /^\/api\/admin\/services$/],
] as const)
  branchTest(
    `the administrators' lists wait in a hidden tab, too: ${address} @slow`,
    async ({ page, product, branch }) => {
      await installClock(page);
      await branch.add('Attente');
      await enterAsAdministrator(page, product, address);
      await untilAnswered(page);
      const asked = countRequests(page, 'GET', path);
      const anything = countRequests(page, 'GET', /^\/api\//);
      await stopClock(page);
      await setHidden(page, true);
      await untilAnswered(page);
      const before = anything.count();
      await page.clock.runFor(60_000);
      await untilAnswered(page);
      expect(anything.count() - before).toBe(0);
      const asBefore = asked.count();
      await setHidden(page, false);
      await expect.poll(() => asked.count() - asBefore).toBe(1);
      await untilAnswered(page);
      expect(asked.count() - asBefore).toBe(1);
    },
  );

test('the page background is asked for by its ETag, and drawn again only for another one @slow', async ({
  page,
  product,
}) => {
  const asked = watchEtags(page, backgroundPath);
  await installClock(page);
  await page.goto(product.url);
  await expect(page.getByRole('tab', { name: 'Connexion' })).toBeVisible();
  await untilAnswered(page);
  await page.clock.runFor(1_000);
  await untilAnswered(page);
  const look = () => runUntilAnswer(page, backgroundPath, 300_000);
  expect(await changedDuring(page, look), 'the same as a whole').toEqual([]);
  expect(await changedDuring(page, look)).toEqual([]);
  expect(asked.map(({ status }) => status)).toEqual([200, 200, 304]);
});
