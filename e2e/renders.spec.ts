import type { Page } from '@playwright/test';
import { untilAnswered } from './answers.ts';
import { lineOf, test } from './branch.ts';
import { type Caller, callAs, callAsAdministrator, fileTickets } from './caller.ts';
import { installClock, runUntilAnswer, stopClock } from './clock.ts';
import { type RecordedRequest, watchEtags } from './etags.ts';
import { expect } from './fixtures.ts';
import type { Product } from './product.ts';
import { changedDuring } from './renders.ts';
import { enterAsAdministrator, enterBy } from './steps.ts';

/** A person with tickets, on a phone with a controlled clock. */
async function enterWithTickets(page: Page, product: Product, phone: string, count: number) {
  const person = { firstName: 'Salimata', lastName: 'Rendu', phone };
  const user = await callAs(product, person);
  const tickets = await fileTickets(user, count);
  await page.route('**/unread-count', (route) => route.fulfill({ json: { count: 0 } }));
  await installClock(page);
  await enterBy(page, product, user.entrance);
  return { user, tickets };
}

const decide = (admin: Caller, id: number | undefined, status: 'approved' | 'rejected') =>
  admin.send('PATCH', `/api/tickets/${id}/status`, { status });

interface Polled {
  path: RegExp;
  everyMs: number;
  asked: RecordedRequest[];
  change: () => Promise<unknown>;
}

/** Checks that polls without news leave the screen as it is; returns what a poll with a change changed of it. */
async function changedBy(page: Page, { path, everyMs, asked, change }: Polled) {
  await untilAnswered(page);
  await stopClock(page);
  // The half-minute of what draws the time begins here, however slow the machine is.
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await untilAnswered(page);
  const poll = async () => {
    await page.clock.runFor(everyMs * 0.9);
    return changedDuring(page, () => runUntilAnswer(page, path, everyMs * 0.1));
  };
  // So late that no poll coincides with it.
  await runUntilAnswer(page, path, everyMs * 1.4);
  for (let round = 0; round < 3; round += 1) expect(await poll(), `round ${round}`).toEqual([]);
  expect(asked.slice(-3).map(({ status }) => status)).toEqual([304, 304, 304]);
  await change();
  const changed = await poll();
  expect(asked.at(-1)?.status).toBe(200);
  expect(await poll(), 'and nothing again').toEqual([]);
  return changed;
}

test('tickets: polls that bring the same leave the screen as it is, and one changed ticket changes alone @slow', async ({
  page,
  product,
}) => {
  const admin = await callAsAdministrator(product);
  const path = /^\/api\/tickets\/user\/\d+/;
  const { tickets } = await enterWithTickets(page, product, '77010001', 8);
  const asked = watchEtags(page, path);
  await page.getByRole('link', { name: 'Tickets' }).click();
  await expect(page.getByText('En attente', { exact: true })).toHaveCount(8);
  const change = () => decide(admin, tickets[3], 'approved');
  const changed = await changedBy(page, { path, everyMs: 5_000, asked, change });
  await expect(page.getByText('Approuvé', { exact: true })).toHaveCount(1);
  const others = tickets.filter((id) => id !== tickets[3]);
  expect(changed).not.toEqual([]);
  expect(changed.filter((text) => others.some((id) => new RegExp(`n°\\s${id}\\b`).test(text)))).toEqual([]);
});

test('notifications: the same, and one that came @slow', async ({ page, product }) => {
  const admin = await callAsAdministrator(product);
  const path = /^\/api\/notifications\/user\/\d+$/;
  const { tickets } = await enterWithTickets(page, product, '77010002', 6);
  for (const id of tickets.slice(1)) await decide(admin, id, 'approved');
  const asked = watchEtags(page, path);
  await page.getByRole('link', { name: 'Notifications' }).click();
  await expect(page.getByText('Demande approuvée')).toHaveCount(5);
  const change = () => decide(admin, tickets[0], 'rejected');
  await changedBy(page, { path, everyMs: 10_000, asked, change });
  await expect(page.getByText('Demande rejetée')).toHaveCount(1);
});

test('the unread count: the same, and the first one @slow', async ({ page, product }) => {
  const admin = await callAsAdministrator(product);
  const path = /\/unread-count$/;
  const { tickets } = await enterWithTickets(page, product, '77010003', 1);
  await page.unroute('**/unread-count');
  // Home would draw the decision too.
  await page.getByRole('link', { name: 'Paramètres' }).click();
  const asked = watchEtags(page, path);
  const change = () => decide(admin, tickets[0], 'approved');
  await changedBy(page, { path, everyMs: 30_000, asked, change });
  await expect(page.getByTestId('unread-dot')).toBeVisible();
});

test("the administrators' tickets: the same, and one changed @slow", async ({ page, product }) => {
  const admin = await callAsAdministrator(product);
  const user = await callAs(product, { firstName: 'Panneau', lastName: 'Rendu', phone: '77010004' });
  const tickets = await fileTickets(user, 5);
  await installClock(page);
  const path = /^\/api\/admin\/tickets$/;
  const asked = watchEtags(page, path);
  await enterAsAdministrator(page, product, `/admin/tickets?utilisateur=${user.userId}`);
  await expect(page.getByText('En attente', { exact: true })).not.toHaveCount(0);
  const change = () => decide(admin, tickets[2], 'approved');
  await changedBy(page, { path, everyMs: 5_000, asked, change });
  await expect(page.getByText("Décidé à l'instant")).toHaveCount(1);
});

test("the administrators' services: the same, and one renamed @slow", async ({ page, product, branch }) => {
  await installClock(page);
  const path = /^\/api\/admin\/services$/;
  const asked = watchEtags(page, path);
  await enterAsAdministrator(page, product, '/admin/services');
  await expect(lineOf(page, branch.root)).toBeVisible();
  const change = () => branch.change(branch.root, { name: `${branch.root.name} bis` });
  await changedBy(page, { path, everyMs: 5_000, asked, change });
  await expect(lineOf(page, branch.root)).toContainText('bis');
});
