import { countRequests, untilAnswered } from './answers.ts';
import { test as branchTest } from './branch.ts';
import { type Caller, callAs, fileTickets } from './caller.ts';
import { installClock, runUntilAnswer, setHidden, stopClock, untilAnswer } from './clock.ts';
import { expect, test } from './fixtures.ts';
import type { Product } from './product.ts';
import { enterAs, enterAsAdministrator } from './steps.ts';

const ticketsPath = /^\/api\/tickets\/user\/\d+$/;
const backgroundPath = /^\/api\/admin\/background-settings$/;

/** A person with a ticket, before the first screen. */
async function _makePerson(
  product: Product,
  phone: string,
): Promise<{ firstName: string; phone: string; user: Caller }> {
  const firstName = 'Fatoumata';
  const user = await callAs(product, { firstName, lastName: 'Sondage', phone });
  await fileTickets(user, 1);
  return { firstName, phone, user };
}

const screens = [
  { tab: 'Tickets', what: 'tickets', path: ticketsPath, everyMs: 5_000 },
  { tab: 'Notifications', what: 'notifications', path: /^\/api\/notifications\/user\/\d+$/, everyMs: 10_000 },
  { tab: 'Accueil', what: 'the unread count', path: /\/unread-count$/, everyMs: 30_000 },
];

for (const [index, { tab, what, path, everyMs }] of screens.entries())
  test(`nothing is asked in a hidden tab, and ${what} at once, once, when it is seen again`, async ({
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
  branchTest(`the administrators' lists wait in a hidden tab, too: ${address}`, async ({ page, product, branch }) => {
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
  });
