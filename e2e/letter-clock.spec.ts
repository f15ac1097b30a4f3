import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { closeMessage, countRequests } from './letter.ts';
import { enterAs, enterAsGuest } from './steps.ts';

/** Stops the page's clock: from here on time goes by only as `runFor` tells it. */
async function stopClock(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
}

/** Notes by the page's own clock when it asks for what. */
async function noteCalls(page: Page): Promise<(path: RegExp) => Promise<number[]>> {
  await page.addInitScript(() => {
    const asked: [at: number, url: string][] = [];
    const real = window.fetch;
    window.fetch = (...input) => {
      asked.push([Date.now(), String(input[0])]);
      return real(...input);
    };
    Object.assign(window, { asked });
  });
  return async (path) => {
    const asked = await page.evaluate(() => (window as unknown as { asked: [number, string][] }).asked);
    return asked.filter(([, url]) => path.test(url)).map(([at]) => at);
  };
}

const polls = [
  { what: 'user tickets', tab: 'Tickets', path: /^\/api\/tickets\/user\/\d+/, everyMs: 5_000 },
  { what: 'notifications', tab: 'Notifications', path: /^\/api\/notifications\/user\/\d+(\?|$)/, everyMs: 10_000 },
  { what: 'the unread count', tab: 'Accueil', path: /\/unread-count$/, everyMs: 30_000 },
];

for (const [index, { what, tab, path, everyMs }] of polls.entries())
  test(`spec §9, polling: ${what} every ${everyMs / 1000} s`, async ({ page, product }) => {
    await page.clock.install();
    const callsTo = await noteCalls(page);
    await enterAs(page, product, { firstName: 'Justin', lastName: 'Lettre', phone: `7700008${index}` });
    await page.getByRole('link', { name: tab }).click();
    await expect.poll(async () => (await callsTo(path)).length).toBeGreaterThan(0);
    await page.waitForLoadState('networkidle');
    await stopClock(page);
    for (let round = 0; round < 5; round += 1) {
      const before = (await callsTo(path)).length;
      const answered = page.waitForResponse((response) => path.test(new URL(response.url()).pathname));
      await page.clock.runFor(everyMs);
      // The next poll waits for this one's answer.
      await (await answered).finished();
      expect(await callsTo(path)).toHaveLength(before + 1);
    }
    // The first of them began before the clock stood still.
    const times = (await callsTo(path)).slice(-4);
    const pauses = times.slice(1).map((time, each) => time - (times[each] as number));
    expect(pauses).toEqual([everyMs, everyMs, everyMs]);
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
