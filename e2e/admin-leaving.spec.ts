import { desktopSize } from './browser.ts';
import { callAsAdministrator } from './caller.ts';
import { expect, test } from './fixtures.ts';
import { expectFailure } from './messages.ts';
import { expectStatus, fileWaiting, heading, queue, readTicket } from './queue.ts';
import { enterAsAdministrator } from './steps.ts';

test.use({ viewport: desktopSize });

test('P16.16 a page that is loaded again sends what it showed, once; a session that ended says that it is not sent', async ({
  page,
  product,
  provoke,
}) => {
  provoke('401 /api/');
  // As a browser does with a page that nobody looks at: what is due in seconds does not begin.
  await page.addInitScript(() => {
    const later = window.setTimeout;
    window.setTimeout = ((work: () => void, ms = 0) =>
      ms > 3_000 && ms <= 5_000 ? 0 : later(work, ms)) as typeof window.setTimeout;
  });
  const [first = 0, second = 0, third = 0] = await fileWaiting(product, '51110411', 3);
  const admin = await callAsAdministrator(product);
  const historyOf = async (id: number) =>
    ((await admin.send('GET', `/api/admin/tickets/${id}`)) as { events: unknown[] }).events.length;
  await enterAsAdministrator(page, product, queue);
  await expect(heading(page, first)).toBeFocused();
  await page.keyboard.press('a');
  await expect(heading(page, second)).toBeFocused();
  expect((await readTicket(product, first)).status).toBe('pending');
  const before = await historyOf(first);
  await page.reload();
  await expectStatus(product, first, 'approved');
  expect(await historyOf(first)).toBe(before + 1);
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => /decision/.test(key)))).toEqual([]);

  await page.reload();
  await expect(heading(page, second)).toBeVisible();
  await page.keyboard.press('a');
  await expect(heading(page, third)).toBeFocused();
  await page.context().clearCookies();
  await expectFailure(page, 'Session expirée', `Ticket n°\u00a0${second}\u00a0: la décision n'est pas envoyée.`);
  await expect(page.getByRole('tab', { name: 'Connexion' })).toBeVisible();
  expect((await readTicket(product, second)).status).toBe('pending');
});

test.describe('with the service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('P16.16 a page that is loaded again sends what it showed', async ({ page, product }) => {
    const ids = await fileWaiting(product, '51110415', 3);
    await enterAsAdministrator(page, product, queue);
    await page.evaluate(async () => {
      await navigator.serviceWorker.register('/service-worker.js');
      await navigator.serviceWorker.ready;
    });
    await page.reload();
    expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
    for (const id of ids) {
      await expect(heading(page, id)).toBeFocused();
      await page.keyboard.press('a');
      await expect(heading(page, id)).toHaveCount(0);
      await page.evaluate(() => location.reload()).catch(() => {});
      await expectStatus(product, id, 'approved');
    }
  });
});
