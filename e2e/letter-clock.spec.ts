import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { closeMessage, countRequests } from './letter.ts';
import { enterAs, enterAsGuest } from './steps.ts';

/** Stops the page's clock: from here on time goes by only as `runFor` tells it. */
async function stopClock(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
}

const polls = [
  { what: 'user tickets', tab: 'Tickets', path: /^\/api\/tickets\/user\/\d+/, everyMs: 5_000 },
  { what: 'notifications', tab: 'Notifications', path: /^\/api\/notifications\/user\/\d+(\?|$)/, everyMs: 10_000 },
  { what: 'the unread count', tab: 'Accueil', path: /\/unread-count$/, everyMs: 30_000 },
];

for (const [index, { what, tab, path, everyMs }] of polls.entries())
  test(`spec §9, polling: ${what} every ${everyMs / 1000} s`, async ({ page, product }) => {
    await page.clock.install();
    const asked = countRequests(page, 'GET', path);
    await enterAs(page, product, { firstName: 'Justin', lastName: 'Lettre', phone: `7700008${index}` });
    await page.getByRole('link', { name: tab }).click();
    await expect.poll(asked.count).toBeGreaterThan(0);
    await page.waitForLoadState('networkidle');
    await stopClock(page);
    const runUntilAnswer = async (ms: number) => {
      const answered = page.waitForResponse((response) => path.test(new URL(response.url()).pathname));
      await page.clock.runFor(ms);
      await (await answered).finished();
      // The next poll is counted from when the page has read this one's answer.
      await page.waitForLoadState('networkidle');
      await page.clock.runFor(1);
    };
    await runUntilAnswer(everyMs);
    for (let round = 0; round < 3; round += 1) {
      const before = asked.count();
      await page.clock.runFor(everyMs - 600);
      await page.waitForLoadState('networkidle');
      expect(asked.count(), 'not earlier').toBe(before);
      await runUntilAnswer(1_100);
      expect(asked.count(), 'and then once').toBe(before + 1);
    }
  });

test('spec §6, no unread-count polling for a guest', async ({ page, product }) => {
  await page.clock.install();
  const asked = countRequests(page, 'GET', /^\/api\/(notifications|tickets)\//);
  await enterAsGuest(page, product);
  await page.waitForLoadState('networkidle');
  await stopClock(page);
  await page.clock.runFor(120_000);
  await page.waitForLoadState('networkidle');
  expect(asked.count()).toBe(0);
});

test('spec §9, toasts: 5000 ms, and one at a time', async ({ page, product }) => {
  await page.clock.install();
  await enterAs(page, product, { firstName: 'Solange', lastName: 'Lettre', phone: '77000084' });
  await page.getByRole('link', { name: 'Paramètres' }).click();
  const help = page.getByRole('main').getByRole('button', { name: "Centre d'aide" });
  await expect(help).toBeVisible();
  await stopClock(page);
  const messages = page.getByRole('button', { name: 'Fermer le message' });
  await help.click();
  await expect(messages).toHaveCount(1);
  await page.clock.runFor(4_999);
  await expect(messages).toHaveCount(1);
  await page.clock.runFor(1);
  await expect(messages).toHaveCount(0);

  await help.click();
  await page.clock.runFor(3_000);
  await page.getByRole('main').getByRole('button', { name: 'Sécurité' }).click();
  await expect(messages).toHaveCount(1);
  // Another one has its own time.
  await page.clock.runFor(4_999);
  await expect(messages).toHaveCount(1);
  await closeMessage(page);
});
