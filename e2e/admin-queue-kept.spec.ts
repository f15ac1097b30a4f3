import type { Page } from '@playwright/test';
import { approveWaiting, callAs, callAsAdministrator, fileTickets } from './caller.ts';
import { expect, test } from './fixtures.ts';
import type { Product } from './product.ts';
import { enterAsAdministrator } from './steps.ts';

const queue = '/admin/tickets?vue=file';
const heading = (page: Page, id: number) => page.getByRole('heading', { level: 2, name: `Ticket n° ${id},` });

/** As a browser does with a page that nobody looks at: what is due in seconds does not begin. */
const sleep = (page: Page) =>
  page.addInitScript(() => {
    const later = window.setTimeout;
    window.setTimeout = ((work: () => void, ms = 0) =>
      ms > 3_000 && ms <= 5_000 ? 0 : later(work, ms)) as typeof window.setTimeout;
  });

/** The queue with two tickets, the first of which was approved by a page that sleeps: it is not sent yet. */
async function decideFirst(page: Page, product: Product, phone: string) {
  const admin = await callAsAdministrator(product);
  await approveWaiting(admin);
  const person = await callAs(product, { firstName: 'Gardé', lastName: 'Sanou', phone });
  const [first = 0, second = 0] = (await fileTickets(person, 2)).toSorted((a, b) => a - b);
  const read = async (id: number) => (await admin.send('GET', `/api/admin/tickets/${id}`)) as { status: string };
  await sleep(page);
  await enterAsAdministrator(page, product, queue);
  await expect(heading(page, first)).toBeFocused();
  await page.keyboard.press('a');
  await expect(heading(page, second)).toBeFocused();
  expect((await read(first)).status).toBe('pending');
  return {
    first,
    second,
    statusOf: async (id: number) => (await read(id)).status,
    listOwn: async () => (await person.send('GET', `/api/notifications/user/${person.userId}`)) as unknown[],
  };
}

test('P16.16 a page that is loaded again has sent what was decided, once', async ({ page, product }) => {
  const { first, second, statusOf, listOwn } = await decideFirst(page, product, '51110411');
  const before = (await listOwn()).length;
  await page.reload();
  await expect(heading(page, second)).toBeFocused();
  await expect.poll(() => statusOf(first)).toBe('approved');
  await expect(page.getByText('approuvé.')).toHaveCount(0, { timeout: 20_000 });
  expect((await listOwn()).length).toBe(before + 1);
  expect(await statusOf(second)).toBe('pending');
});

test('P16.16 what was decided before the session ended is sent after the next sign-in', async ({
  page,
  product,
  provoke,
}) => {
  provoke('401 /api/');
  const { first, second, statusOf } = await decideFirst(page, product, '51110413');
  await page.context().clearCookies();
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Connexion' })).toBeVisible();
  expect(await statusOf(first)).toBe('pending');
  const awake = await page.context().newPage();
  await enterAsAdministrator(awake, product, queue);
  await expect(heading(awake, second)).toBeFocused();
  await expect.poll(() => statusOf(first)).toBe('approved');
});
