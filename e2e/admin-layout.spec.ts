import { sql } from 'drizzle-orm';
import { desktopSize, laptopSizes, phoneSize } from './browser.ts';
import { callAs, fileTickets } from './caller.ts';
import { expect, test } from './fixtures.ts';
import { boxOf, linesOf } from './layout.ts';
import { filePaid, heading, queue } from './queue.ts';
import { enterAsAdministrator } from './steps.ts';

/** What the panel's screens need of their space. That nothing stands out, is cut or covered is `screens.spec.ts`, in each size. */

const sizes = [phoneSize, ...laptopSizes, desktopSize];

test('P16.14 every row is as low as the others, long values are cut or stand whole, the filters in one line, and two columns in one where it is narrow', async ({
  page,
  product,
}) => {
  const user = await callAs(product, { firstName: 'Aïcha', lastName: 'Large', phone: '70310009' });
  const [id = 0, rejected = 0, plain = 0] = await fileTickets(user, 3);
  const db = await product.openDatabase();
  await db.execute(sql`
    update tickets set amount = 1246813, commission = 100, total_price = '1246913', payment_declared_at = now(),
      payment_reference = 'PP261122.1403.C78', beneficiary_phone_number = '+2250707278152' where id = ${id}`);
  await db.execute(sql`
    update tickets set status = 'rejected', reject_reason = ${'Le numéro du bénéficiaire ne répond pas. '.repeat(3)},
      payment_declared_at = now(), payment_reference = 'PP261122.1403.C79' where id = ${rejected}`);
  await enterAsAdministrator(page, product, `/admin/tickets?utilisateur=${user.userId}`);
  const rowOf = (which: number) => page.locator(`[data-row="${which}"]`);
  const row = rowOf(id);
  const heads = page.getByRole('table', { name: 'Tickets' }).getByRole('columnheader');
  for (const size of sizes) {
    await page.setViewportSize(size);
    for (const text of ['Aïcha Large', '07 07 27 81 52', 'Bouquet Access', 'Orange Money', '1403.C78'])
      await expect(row).toContainText(text);
    if (size === phoneSize) continue;
    await expect(heads).toHaveCount(size === desktopSize ? 10 : 7);
    // Until the next poll a payment of another test may stand beside the total of before.
    for (const which of [id, rejected, plain])
      await expect.poll(async () => (await boxOf(rowOf(which))).height).toBe(56);
    await expect(row.getByRole('button', { name: 'Copier la référence PP261122.1403.C78' })).toBeVisible();
  }
  for (const words of [/^1.246.913\sFCFA$/, '07 07 27 81 52']) {
    const [text, cell] = [row.getByText(words), row.getByRole('cell').filter({ hasText: words })];
    expect((await boxOf(text)).height).toBeLessThan(24);
    expect((await boxOf(text)).right).toBeLessThanOrEqual((await boxOf(cell)).right);
  }
  await page.goto(`${product.url}/admin/tickets`);
  const filters = ['Statut', 'Date', 'Utilisateur'].map((name) => page.getByRole('combobox', { name }));
  const places = (await Promise.all(filters.map(boxOf))).map(({ y, height }) => `${y} ${height}`);
  expect(new Set(places).size).toBe(1);
});

test('P16.15 the facts of a ticket with a payment stand beside their names, one a line, and its buttons are in sight', async ({
  page,
  product,
}) => {
  const id = await filePaid(product, 'Étroite');
  await enterAsAdministrator(page, product, queue);
  await expect(heading(page, id)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Paiement vu' })).toBeVisible();
  const number = page
    .getByRole('definition')
    .filter({ hasText: /^\+226 70 1\d/ })
    .first();
  for (const size of sizes) {
    await page.setViewportSize(size);
    expect(await linesOf(number)).toBe(1);
    for (const name of ['Approuver', 'Rejeter', 'Suivant'])
      await expect(page.getByRole('button', { name })).toBeInViewport({ ratio: 1 });
  }
});

test('P13.1 the folded menu takes less than half of its width, and has it again', async ({ page, product }) => {
  await page.setViewportSize(desktopSize);
  await enterAsAdministrator(page, product);
  const menu = page.getByRole('navigation', { name: 'Administration' });
  const { width } = await boxOf(menu);
  await page.getByRole('button', { name: 'Replier le menu' }).click();
  await expect.poll(async () => (await boxOf(menu)).width).toBeLessThan(width / 2);
  await page.getByRole('button', { name: 'Déplier le menu' }).click();
  await expect.poll(async () => (await boxOf(menu)).width).toBe(width);
});
