import { pollSpread } from '#web/api/polling.ts';
import { countRequests, untilAnswered } from './answers.ts';
import { callAs, fileTickets } from './caller.ts';
import { setHidden, stopClock } from './clock.ts';
import { expect, test } from './fixtures.ts';
import { closeMessage } from './messages.ts';
import { enterAs, enterAsGuest, enterBy } from './steps.ts';

const polls = [
  { what: 'user tickets', tab: 'Tickets', path: /^\/api\/tickets\/user\/\d+/, everyMs: 5_000 },
  { what: 'notifications', tab: 'Notifications', path: /^\/api\/notifications\/user\/\d+(\?|$)/, everyMs: 10_000 },
  { what: 'the unread count', tab: 'Accueil', path: /\/unread-count$/, everyMs: 30_000 },
];

for (const [index, { what, tab, path, everyMs }] of polls.entries())
  test(`P23.1, polling: ${what} every ${everyMs / 1000} s, in a hidden tab never`, async ({ page, product }) => {
    await page.clock.install();
    const asked = countRequests(page, 'GET', path);
    const untilNext = async (step: number, most: number) => {
      const before = asked.count();
      for (let steps = 0; asked.count() === before && steps < most; steps += 1) {
        await page.clock.runFor(step);
        await untilAnswered(page);
      }
      expect(asked.count(), 'asked once').toBe(before + 1);
    };
    await enterAs(page, product, { firstName: 'Justin', lastName: 'Lettre', phone: `7700080${index}` });
    await page.getByRole('link', { name: tab }).click();
    await expect.poll(asked.count).toBeGreaterThan(0);
    await untilAnswered(page);
    await stopClock(page);
    // A period begins where the answer before was read: it is found roughly first, then to a part of the jitter.
    const step = (everyMs * pollSpread) / 10;
    await untilNext(everyMs / 10, 12);
    await page.clock.runFor(0.8 * everyMs);
    await untilNext(step, 70);
    for (let round = 0; round < 2; round += 1) {
      const before = asked.count();
      await page.clock.runFor(everyMs * (1 - pollSpread) - 2 * step);
      await untilAnswered(page);
      expect(asked.count(), 'not earlier').toBe(before);
      await untilNext(step, 30);
    }
    const anything = countRequests(page, 'GET', /^\/api\//);
    await setHidden(page, true);
    await page.clock.runFor(900_000);
    await untilAnswered(page);
    expect(anything.count(), 'while it is hidden').toBe(0);
    const before = asked.count();
    await setHidden(page, false);
    await expect.poll(asked.count, 'at once when it is seen again').toBe(before + 1);
  });

test('P2.7, no unread-count polling for a guest', async ({ page, product }) => {
  await page.clock.install();
  const asked = countRequests(page, 'GET', /^\/api\/(notifications|tickets)\//);
  await enterAsGuest(page, product);
  await untilAnswered(page);
  await stopClock(page);
  await page.clock.runFor(120_000);
  await untilAnswered(page);
  expect(asked.count()).toBe(0);
});

test('P24.1, toasts: 5000 ms, and one at a time', async ({ page, product }) => {
  await page.clock.install();
  const caller = await callAs(product, { firstName: 'Solange', lastName: 'Lettre', phone: '77009084' });
  const [first, second] = await fileTickets(caller, 2);
  await enterBy(page, product, caller.entrance, '/tickets');
  const copy = (id: number | undefined) =>
    page.getByRole('button', { name: new RegExp(`^Copier le code du ticket n°\\s${id}$`) });
  await expect(copy(second)).toBeVisible();
  await stopClock(page);
  const messages = page.getByRole('button', { name: 'Fermer le message' });
  await copy(first).click();
  await expect(messages).toHaveCount(1);
  await untilAnswered(page);
  await page.clock.runFor(4_999);
  await expect(messages).toHaveCount(1);
  await page.clock.runFor(1);
  await expect(messages).toHaveCount(0);

  await copy(first).click();
  await expect(messages).toHaveCount(1);
  await untilAnswered(page);
  const former = await messages.elementHandle();
  await page.clock.runFor(3_000);
  await copy(second).click();
  // The clipboard answers in its own time, which is not the page's.
  await expect.poll(() => former?.evaluate((button) => button.isConnected)).toBe(false);
  await expect(messages).toHaveCount(1);
  await untilAnswered(page);
  // A new toast has its own time.
  await page.clock.runFor(4_999);
  await expect(messages).toHaveCount(1);
  await closeMessage(page);
});
