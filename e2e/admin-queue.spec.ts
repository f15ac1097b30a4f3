import { sql } from 'drizzle-orm';
import { findViolations } from './accessibility.ts';
import { desktopSize, phoneSize } from './browser.ts';
import { callAs, callAsAdministrator, fileTickets } from './caller.ts';
import { stopClock } from './clock.ts';
import { expect, test } from './fixtures.ts';
import { expectToast } from './messages.ts';
import { startProduct } from './product.ts';
import { expectStatus, fileWaiting, heading, queue, readTicket, undoMs } from './queue.ts';
import { enterAsAdministrator, openTab, withMenu } from './steps.ts';

test.use({ viewport: desktopSize });

test('P16.15 a run of decisions by the keyboard alone, one taken back; the focus stays on the ticket', async ({
  page,
  product,
}) => {
  await page.clock.install();
  const ids = await fileWaiting(product, '51110401', 4);
  const [first = 0, second = 0, third = 0, fourth = 0] = ids;
  const admin = await callAsAdministrator(product);
  const listed = (await admin.send('GET', '/api/admin/reject-reasons')) as { reasons: string[] };
  const [reason, otherReason = ''] = listed.reasons;
  await enterAsAdministrator(page, product, queue);
  await expect(heading(page, first)).toBeFocused();
  await expect(page.getByText(/attend depuis/)).toBeVisible();
  // From here on what is decided is sent when the test says so.
  await stopClock(page);

  await page.keyboard.press('a');
  await expect(heading(page, second)).toBeFocused();
  await expectToast(page, 'Statut mis à jour', `Ticket n°\u00a0${first}\u00a0: Approuvé.`);
  await page.keyboard.press('z');
  await expectToast(page, 'Décision annulée', `Ticket n°\u00a0${first}\u00a0: rien n'est envoyé.`);
  await expect(heading(page, first)).toBeFocused();
  expect((await readTicket(product, first)).status).toBe('pending');

  await page.keyboard.press('j');
  await expect(heading(page, second)).toBeFocused();
  await page.keyboard.press('r');
  await expect(page.getByRole('button', { name: reason })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Approuver' })).toBeVisible();
  await expect(heading(page, second)).toBeFocused();
  await page.keyboard.press('r');
  await page.keyboard.press('2');
  await expect(heading(page, third)).toBeFocused();
  await page.keyboard.press('k');
  await expect(heading(page, first)).toBeFocused();
  await page.keyboard.press('a');
  await expect(heading(page, third)).toBeFocused();
  await page.clock.runFor(undoMs);
  await expectStatus(product, second, 'rejected');
  expect((await readTicket(product, second)).rejectReason).toBe(otherReason);
  await expectStatus(product, first, 'approved');

  // A closed page sends what waits.
  await page.keyboard.press('a');
  await expect(heading(page, fourth)).toBeFocused();
  expect((await readTicket(product, third)).status).toBe('pending');
  await page.goto('about:blank');
  await expectStatus(product, third, 'approved');
  // Lists are drawn by a timer.
  await page.clock.resume();
  await enterAsAdministrator(page, product, queue);
  await expect(heading(page, fourth)).toBeFocused();
  await stopClock(page);
  await page.keyboard.press('a');
  await expect(page.getByText('Aucun ticket en attente')).toBeVisible();
  await expect(page.locator('body')).not.toBeFocused();
  await page.keyboard.press('z');
  await expect(heading(page, fourth)).toBeFocused();
  await page.keyboard.press('a');
  await expect(page.getByText('Aucun ticket en attente')).toBeVisible();
  // In another tab of the panel it can be taken back too, and is sent in its time.
  await page.clock.resume();
  await openTab(page, 'Services');
  await stopClock(page);
  expect((await readTicket(product, fourth)).status).toBe('pending');
  await expect(page.getByRole('button', { name: 'Annuler' })).toBeVisible();
  await page.clock.runFor(undoMs);
  await expectStatus(product, fourth, 'approved');
});

test('of 100,000 tickets twenty that wait are decided by the keyboard in under a minute, one taken back, the focus never lost', async ({
  page,
}) => {
  const product = await startProduct();
  try {
    const person = await callAs(product, { firstName: 'Cent', lastName: 'Mille', phone: '51110420' });
    const [first = 0] = await fileTickets(person, 1);
    const db = await product.openDatabase();
    await db.transaction(async (tx) => {
      await tx.execute(sql`set local statement_timeout = 0`);
      await tx.execute(sql`
        insert into tickets (user_id, service_id, status, payment_type_id, payment_type_name, amount, commission,
          total_price, service_path, beneficiary_phone_number, dial_code, fingerprint, created_at)
        select user_id, service_id, case when n % 7 = 0 then 'rejected' else 'approved' end, payment_type_id,
          payment_type_name, amount, commission, total_price, service_path, beneficiary_phone_number, dial_code,
          fingerprint, now() - n * interval '1 minute'
        from tickets, generate_series(1, 100000) n where id = ${first}`);
    });
    await db.execute(sql`analyze tickets`);
    const ids = [first, ...(await fileTickets(person, 19))];
    await enterAsAdministrator(page, product, queue);
    await expect(heading(page, first)).toBeFocused();
    await page.evaluate(() => {
      const seen = Object.assign(window, { lost: 0 });
      const look = () => {
        if (document.activeElement === document.body) seen.lost += 1;
        requestAnimationFrame(look);
      };
      look();
    });
    const began = Date.now();
    for (const [place, id] of ids.entries()) {
      await expect(heading(page, id)).toBeFocused();
      if (place === 9) {
        await page.keyboard.press('a');
        await page.keyboard.press('z');
        await expect(heading(page, id)).toBeFocused();
      }
      if (place % 5 !== 4) await page.keyboard.press('a');
      else {
        await page.keyboard.press('r');
        await page.keyboard.press('1');
      }
    }
    await expect(page.getByText('Aucun ticket en attente')).toBeVisible();
    expect(Date.now() - began).toBeLessThan(60_000);
    expect(await page.evaluate(() => (window as unknown as { lost: number }).lost)).toBe(0);
    const count = async (status: string) => {
      const { rows } = await db.execute(sql`
        select count(*)::int as count from tickets where status = ${status} and id in (${sql.join(ids, sql`, `)})`);
      return rows[0]?.count;
    };
    await expect.poll(() => count('approved')).toBe(16);
    await expect.poll(() => count('rejected')).toBe(4);
  } finally {
    // It would ask a server that is gone.
    await page.close();
    await product.stop();
  }
});

test('P16.16 from the table the last decisions are taken back too, one by one; a sign-out sends what waits', async ({
  page,
  product,
}) => {
  await page.clock.install();
  const [first = 0, second = 0] = await fileWaiting(product, '51110412', 2);
  await enterAsAdministrator(page, product, queue);
  await expect(heading(page, first)).toBeFocused();
  // From here on nothing is sent by itself.
  await stopClock(page);
  await page.keyboard.press('a');
  await expect(heading(page, second)).toBeFocused();
  await page.getByRole('link', { name: 'Tableau', exact: true }).click();
  const undo = page.getByRole('button', { name: 'Annuler' });
  await undo.press('Enter');
  await expect(undo).toHaveCount(0);
  await expect(page.locator('body')).not.toBeFocused();
  expect((await readTicket(product, first)).status).toBe('pending');
  const approveInQueue = async () => {
    await page.getByRole('link', { name: "File d'attente" }).click();
    await expect(heading(page, first)).toBeFocused();
    await page.keyboard.press('a');
    await expect(heading(page, second)).toBeFocused();
  };
  await approveInQueue();
  await page.getByRole('link', { name: 'Tableau', exact: true }).click();
  await expect(undo).toBeVisible();
  await page.keyboard.press('z');
  await expect(undo).toHaveCount(0);
  await approveInQueue();
  await withMenu(page, (menu) => menu.getByRole('button', { name: 'Se déconnecter' }).click());
  await expect(page).toHaveURL(`${product.url}/auth`);
  expect((await readTicket(product, first)).status).toBe('approved');
  expect((await readTicket(product, second)).status).toBe('pending');
});

test.describe('by touch on a phone', () => {
  test.use({ viewport: phoneSize, hasTouch: true });

  test('the queue is decided, nothing is cut, and axe is content in both themes', async ({ page, product }) => {
    const [first = 0, second = 0] = await fileWaiting(product, '51110402', 2);
    const person = await callAs(product, { firstName: 'File', lastName: 'Payée', phone: '51110406' });
    const [third = 0] = await fileTickets(person, 1);
    const declared = { reference: 'PPA61122.1402.B77', payerPhone: '+22670998877' };
    await page.clock.install();
    await person.send('POST', `/api/tickets/${third}/payment-declaration`, declared);
    await enterAsAdministrator(page, product, queue);
    await expect(heading(page, first)).toBeVisible();
    await expect(page.getByText("Rien n'est déclaré")).toBeVisible();
    await expect(page.getByText(/^2\stickets, 0\sapprouvé$/)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Copier le code' })).toBeVisible();
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await findViolations(page)).toEqual([]);
    }
    const button = (name: string) => page.getByRole('button', { name });
    await expect(button('Précédent')).toBeDisabled();
    await button('Suivant').tap();
    await button('Suivant').tap();
    await expect(heading(page, third)).toBeFocused();
    await expect(page.getByText(declared.reference, { exact: true })).toBeVisible();
    await expect(page.getByText('+226 70 99 88 77')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Aucun paiement vu' })).toContainText('Déclaré le');
    await expect(button('Suivant')).toBeDisabled();
    await button('Précédent').tap();
    await button('Précédent').tap();
    await expect(heading(page, first)).toBeFocused();
    // However late it is taken back, it is not sent before.
    await stopClock(page);
    await button('Rejeter').tap();
    await button('Sans motif').tap();
    await expect(heading(page, second)).toBeFocused();
    await button('Annuler').tap();
    await expect(page.getByText(/^1 sur 3$/)).toBeVisible();
    await page.getByRole('link', { name: 'Tableau' }).tap();
    await expect(page.getByRole('heading', { level: 1, name: 'Tickets' })).toBeVisible();
    expect((await readTicket(product, first)).status).toBe('pending');
  });
});
