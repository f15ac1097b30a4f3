import type { Page } from '@playwright/test';
import { sql } from 'drizzle-orm';
import { findViolations } from './accessibility.ts';
import { desktopSize, phoneSize } from './browser.ts';
import { approveWaiting, callAs, callAsAdministrator, fileTickets, uniqueName } from './caller.ts';
import { stopClock } from './clock.ts';
import { expect, test } from './fixtures.ts';
import { anyPhone, makeReference, openAccount, sms, viewAddress } from './incoming.ts';
import { boxOf, expectNoSidewaysScroll } from './layout.ts';
import { expectFailure, expectToast } from './messages.ts';
import type { Product } from './product.ts';
import { callAsColleague, expectStatus, filePaid, fileWaiting, heading, queue, readTicket, undoMs } from './queue.ts';
import { enterAsAdministrator, holdBack } from './steps.ts';

test.use({ viewport: desktopSize });

test('P16.16 a decision that is not sent puts its ticket back and says why, without a network or after another one', async ({
  page,
  product,
  provoke,
}) => {
  provoke('409 /api/tickets');
  const [first = 0, second = 0] = await fileWaiting(product, '51110403', 2);
  await page.clock.install();
  await enterAsAdministrator(page, product, queue);
  await expect(heading(page, first)).toBeFocused();
  await page.route('**/status', (route) => route.abort());
  await page.keyboard.press('a');
  await expect(heading(page, second)).toBeFocused();
  await page.clock.runFor(undoMs);
  await expectFailure(page, 'Erreur', `Ticket n°\u00a0${first}\u00a0: Pas de réponse du réseau.`);
  expect((await readTicket(product, first)).status).toBe('pending');
  // The one that is looked at stays; the other one stands before it again.
  await expect(heading(page, second)).toBeVisible();
  await page.unroute('**/status');
  await page.keyboard.press('k');
  await expect(heading(page, first)).toBeFocused();
  await page.keyboard.press('j');
  await expect(heading(page, second)).toBeFocused();

  const own = await holdBack(page, '**/status');
  await page.keyboard.press('a');
  await page.clock.runFor(undoMs);
  await expect.poll(own.held).toBe(1);
  const admin = await callAsAdministrator(product);
  await admin.send('PATCH', `/api/tickets/${second}/status`, { status: 'rejected' });
  own.release();
  await expectFailure(
    page,
    'Erreur',
    `Ticket n°\u00a0${second}\u00a0: Un autre administrateur vient de modifier ce ticket.`,
  );
  expect((await readTicket(product, second)).status).toBe('rejected');
});

test('P16.16 offline nothing is decided; a bulk approval says what is unpaid; a rejection of an approved ticket says that it was told', async ({
  page,
  product,
}) => {
  const [first = 0, second = 0] = await fileWaiting(product, '51110416', 2);
  await enterAsAdministrator(page, product, queue);
  await expect(heading(page, first)).toBeFocused();
  await page.context().setOffline(true);
  await page.keyboard.press('a');
  await expectFailure(page, 'Hors ligne', `Ticket n°\u00a0${first}\u00a0: rien n'est décidé.`);
  await expect(heading(page, first)).toBeVisible();
  await page.context().setOffline(false);

  await page.goto(`${product.url}/admin/tickets?recherche=0416`);
  for (const id of [first, second]) await page.getByRole('checkbox', { name: `Choisir le ticket n° ${id}` }).check();
  await page.getByRole('button', { name: /^Approuver ·/ }).click();
  await expect(page.getByRole('dialog')).toContainText('2 sur 2 sans paiement déclaré ni vu.');
  await page.keyboard.press('Escape');

  const admin = await callAsAdministrator(product);
  await admin.send('PATCH', `/api/tickets/${first}/status`, { status: 'approved' });
  // The next poll tells it.
  await expect(page.getByRole('button', { name: `Approuver le ticket n° ${first}`, exact: true })).toBeDisabled({
    timeout: 20_000,
  });
  await page.getByRole('button', { name: `Rejeter le ticket n° ${first}`, exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText('Ce ticket est approuvé');
});

test('P16.15 a ticket that somebody else decided stays on the screen, says by whom, and is decided no more', async ({
  page,
  product,
}) => {
  const [first = 0, second = 0, third = 0] = await fileWaiting(product, '51110413', 3);
  await enterAsAdministrator(page, product, queue);
  await expect(heading(page, first)).toBeFocused();
  await page.keyboard.press('j');
  await expect(heading(page, second)).toBeFocused();
  const awa = await callAsColleague(product, { firstName: 'Awa', lastName: 'Zoungrana', phone: '51110414' });
  await awa.send('PATCH', `/api/tickets/${second}/status`, { status: 'approved' });
  await expect(page.getByText(/^Approuvé par Awa Zoungrana il y a\s\d+\ss$/)).toBeVisible();
  await expect(heading(page, second)).toBeVisible();
  for (const name of ['Approuver', 'Rejeter']) await expect(page.getByRole('button', { name })).toBeDisabled();
  await page.keyboard.press('a');
  await page.keyboard.press('r');
  await expect(heading(page, second)).toBeVisible();
  await expect(page.getByText('Statut mis à jour')).toHaveCount(0);
  await page.keyboard.press('k');
  await expect(heading(page, first)).toBeFocused();
  await page.keyboard.press('j');
  await expect(heading(page, third)).toBeFocused();
  // The last one stays too.
  for (const id of [first, third]) await awa.send('PATCH', `/api/tickets/${id}/status`, { status: 'rejected' });
  await expect(page.getByText(/^Rejeté par Awa Zoungrana il y a\s\d+\ss$/)).toBeVisible();
  await expect(heading(page, third)).toBeVisible();
});

for (const size of [phoneSize, desktopSize])
  test(`P16.15 at ${size.width} px the buttons stand still from ticket to ticket, and a double click decides once`, async ({
    page,
    product,
  }) => {
    const ids = await fileWaiting(product, size === phoneSize ? '51110415' : '51110416', 4);
    const [first = 0, second = 0, third = 0] = ids;
    // Facts of different length.
    const db = await product.openDatabase();
    await db.execute(sql`
      update tickets set payment_declared_at = now(), payment_reference = 'PP261122.1402.B77', payer_phone = '+22670998877',
        code_reported_at = now() where id = ${second}`);
    await page.setViewportSize(size);
    await page.clock.install();
    await enterAsAdministrator(page, product, queue);
    await expect(heading(page, first)).toBeVisible();
    const approve = page.getByRole('button', { name: 'Approuver' });
    const places: object[] = [];
    for (const id of ids) {
      await expect(heading(page, id)).toBeVisible();
      places.push(await boxOf(approve));
      if (id !== ids.at(-1)) await page.keyboard.press('j');
    }
    expect(places).toEqual(places.map(() => places[0]));
    for (const _ of [1, 2, 3]) await page.keyboard.press('k');
    await expect(heading(page, first)).toBeVisible();
    await stopClock(page);
    await approve.dblclick();
    await expect(heading(page, second)).toBeVisible();
    await expect(page.getByText('1 sur 3', { exact: true })).toBeVisible();
    // Nor does the second half choose a reason, or what stands where the first one was.
    await page.getByRole('button', { name: 'Rejeter' }).dblclick();
    await expect(page.getByText('Motif du rejet')).toBeVisible();
    await page.getByRole('button', { name: 'Sans motif' }).click();
    await expect(heading(page, third)).toBeVisible();
    for (const _ of [1, 2]) await page.keyboard.press('z');
    await expect(heading(page, first)).toBeVisible();
  });

test('a payment that was seen is told before its ticket is rejected, and a reason can be in own words', async ({
  page,
  product,
}) => {
  const { reasons } = await readReasons(product);
  const first = await filePaid(product, 'Vue');
  const [second = 0] = await fileTickets(
    await callAs(product, { firstName: 'File', lastName: 'Sans', phone: '51110417' }),
    1,
  );
  await page.clock.install();
  await enterAsAdministrator(page, product, queue);
  await expect(page.getByRole('region', { name: 'Paiement vu' })).toBeVisible();
  await stopClock(page);
  await page.keyboard.press('r');
  const dialog = page.getByRole('dialog', { name: `Rejeter le ticket n° ${first}` });
  await expect(dialog.getByText(/^Un paiement de 5.100.FCFA a été vu\.$/)).toBeVisible();
  // A digit chooses a reason, as in the queue, and Enter sends it.
  await page.keyboard.press('1');
  await expect(dialog.getByLabel('Motif (facultatif)')).toHaveValue(reasons[0] ?? '');
  await page.keyboard.press('Enter');
  await expect(heading(page, second)).toBeFocused();
  await page.keyboard.press('r');
  await page.keyboard.press('m');
  await expect(page.getByRole('dialog')).toBeVisible();
  // What is typed is a reason.
  await page.keyboard.type('Déjà servi au guichet');
  await page.getByRole('dialog').getByRole('button', { name: 'Rejeter', exact: true }).press('Enter');
  await page.clock.runFor(undoMs);
  await expectStatus(product, first, 'rejected');
  await expectStatus(product, second, 'rejected');
  expect((await readTicket(product, first)).rejectReason).toBe(reasons[0]);
  expect((await readTicket(product, second)).rejectReason).toBe('Déjà servi au guichet');
});

async function readReasons(product: Product) {
  const admin = await callAsAdministrator(product);
  return (await admin.send('GET', '/api/admin/reject-reasons')) as { reasons: string[] };
}

const rowOf = (page: Page, id: number) => page.locator(`[data-row="${id}"]`);
const bar = (page: Page) => page.getByRole('region', { name: 'Tickets sélectionnés' });

for (const size of [phoneSize, desktopSize])
  test.describe(`in the table, at ${size.width} px`, () => {
    test.use({ viewport: size });

    async function openTable(page: Page, product: Product, count: number) {
      const phone = anyPhone();
      const person = await callAs(product, { firstName: 'Table', lastName: uniqueName('Sana'), phone });
      const ids = await fileTickets(person, count);
      await page.clock.install();
      await enterAsAdministrator(page, product, `/admin/tickets?utilisateur=${person.userId}`);
      for (const id of ids) await expect(rowOf(page, id)).toBeVisible();
      return ids;
    }

    test('P16.13 the first tick moves no row by a pixel, nor does the last one', async ({ page, product }) => {
      const ids = await openTable(page, product, 3);
      const boxes = async () => Promise.all(ids.map((id) => boxOf(rowOf(page, id))));
      const tick = page.getByLabel(`Choisir le ticket n° ${ids[1]}`, { exact: true });
      await tick.hover();
      const before = await boxes();
      await tick.check();
      await expect(bar(page)).toBeVisible();
      expect(await boxes()).toEqual(before);
      for (const name of ['Désélectionner', 'Approuver', 'Rejeter'])
        await expect(bar(page).getByRole('button', { name })).toBeInViewport({ ratio: 1 });
      const decisions = ['Approuver', 'Rejeter'].map((name) => boxOf(bar(page).getByRole('button', { name })));
      expect(new Set((await Promise.all(decisions)).map(({ y }) => y)).size).toBe(1);
      await expect(page.getByLabel('Tout choisir')).toBeInViewport();
      await expectNoSidewaysScroll(page);
      expect(await findViolations(page)).toEqual([]);
      await bar(page).getByRole('button', { name: 'Désélectionner' }).click();
      await expect(bar(page)).toBeHidden();
      expect(await boxes()).toEqual(before);
    });

    test('P16.16 a row is decided at once, taken back by the toast or by Z, and sent after five seconds', async ({
      page,
      product,
    }) => {
      const [first = 0, second = 0] = await openTable(page, product, 2);
      const approve = (id: number) => page.getByRole('button', { name: `Approuver le ticket n° ${id}`, exact: true });
      await stopClock(page);
      await approve(first).click();
      await expect(rowOf(page, first)).toContainText('Approuvé');
      await expectToast(page, 'Statut mis à jour', `Ticket n°\u00a0${first}\u00a0: Approuvé.`);
      // The button of the toast is reached by the keyboard, which then has a place.
      await page.getByRole('button', { name: 'Annuler' }).press('Enter');
      await expect(rowOf(page, first)).toContainText('En attente');
      await expect(page.locator('body')).not.toBeFocused();
      await approve(first).press('Enter');
      await approve(second).press('Enter');
      // Not while one types.
      const search = page.getByLabel('Rechercher un ticket ou un service');
      await search.focus();
      await page.keyboard.press('z');
      await expect(rowOf(page, second)).toContainText('Approuvé');
      await search.fill('');
      await approve(second).blur();
      await search.blur();
      await page.keyboard.press('z');
      await expect(rowOf(page, second)).toContainText('En attente');
      await expect(rowOf(page, first)).toContainText('Approuvé');
      expect((await readTicket(product, first)).status).toBe('pending');
      await page.clock.runFor(undoMs);
      await expectStatus(product, first, 'approved');
      expect((await readTicket(product, second)).status).toBe('pending');
      await page.clock.resume();
      await approve(second).click();
      await expect(page.getByText('Statut mis à jour')).toBeVisible();
      expect(await findViolations(page)).toEqual([]);
    });

    test('P16.13 more than one is confirmed with number and sum, and taken back as a whole', async ({
      page,
      product,
    }) => {
      const ids = await openTable(page, product, 3);
      await stopClock(page);
      await page.getByLabel('Tout choisir').check();
      await bar(page).getByRole('button', { name: 'Approuver' }).dblclick();
      const question = page.getByRole('dialog', { name: /^Approuver 3\sdemandes · 15.300.FCFA\s\?$/ });
      await expect(question).toBeVisible();
      await question.getByRole('button', { name: 'Annuler' }).click();
      await expect(question).toBeHidden();
      for (const id of ids) await expect(rowOf(page, id)).toContainText('En attente');
      await bar(page).getByRole('button', { name: 'Approuver' }).click();
      await question.getByRole('button', { name: 'Approuver' }).click();
      await expectToast(page, 'Statut mis à jour', /3\stickets approuvés\./);
      await expect(bar(page)).toBeHidden();
      for (const id of ids) await expect(rowOf(page, id)).toContainText('Approuvé');
      await page.keyboard.press('z');
      for (const id of ids) await expect(rowOf(page, id)).toContainText('En attente');
      await page.clock.runFor(undoMs);
      for (const id of ids) expect((await readTicket(product, id)).status).toBe('pending');

      await page.getByLabel('Tout choisir').check();
      await bar(page).getByRole('button', { name: 'Rejeter' }).click();
      const reasons = page.getByRole('dialog', { name: /^Rejeter 3\sdemandes · 15.300.FCFA\s\?$/ });
      await reasons.getByRole('button', { name: 'Rejeter', exact: true }).click();
      await page.clock.runFor(undoMs);
      for (const id of ids) await expectStatus(product, id, 'rejected');
    });

    test('P16.14 a row tells first the country and the operator of what is sold', async ({ page, product }) => {
      const [id = 0] = await openTable(page, product, 1);
      const names = ['Télécom et mobile', 'Burkina Faso', 'Telecel', 'Forfaits internet', 'Forfait internet 30 jours'];
      const path = JSON.stringify(names.map((name, place) => ({ id: place + 1, name, price: null, level: place + 1 })));
      const db = await product.openDatabase();
      await db.execute(sql`update tickets set service_path = ${path}::jsonb where id = ${id}`);
      const place = rowOf(page, id).getByText(/^Burkina Faso.· Telecel.· Forfaits internet$/);
      await expect(place).toBeVisible();
      // What is cut, if anything, is the end.
      const isWhole = await place.evaluate((element) => {
        const [text] = element.childNodes;
        const range = document.createRange();
        range.setStart(text as Node, 0);
        range.setEnd(text as Node, 'Burkina Faso · Telecel'.length);
        return range.getBoundingClientRect().bottom <= element.getBoundingClientRect().bottom;
      });
      expect(isWhole).toBe(true);
    });
  });

test('P16.16 in À approuver several payments are confirmed with number and sum, and taken back', async ({
  page,
  product,
}) => {
  const account = await openAccount(product);
  await approveWaiting(account.admin);
  await page.setViewportSize(phoneSize);
  await page.clock.install();
  const ids: number[] = [];
  for (let count = 0; count < 2; count += 1) {
    const phone = anyPhone();
    const person = await callAs(product, { firstName: 'Paie', lastName: uniqueName('Sana'), phone });
    ids.push(...(await fileTickets(person, 1)));
    await account.forward(sms({ gross: '5100.00', payer: phone, balance: '20000.00', reference: makeReference() }));
  }
  await enterAsAdministrator(page, product, viewAddress('approuver'));
  const tick = (id: number) => page.getByRole('checkbox', { name: new RegExp(`pour le ticket n° ${id}$`) });
  for (const id of ids) await tick(id).check();
  await stopClock(page);
  await page.getByRole('button', { name: /^Approuver 2\spaiements · 10.200.FCFA$/ }).click();
  const question = page.getByRole('dialog', { name: /^Approuver 2\sdemandes · 10.200.FCFA\s\?$/ });
  await question.getByRole('button', { name: 'Approuver' }).click();
  await expectToast(page, 'Statut mis à jour', /2\stickets approuvés\./);
  for (const id of ids) await expect(tick(id)).toBeDisabled();
  await page.getByRole('button', { name: 'Annuler' }).click();
  for (const id of ids) await expect(tick(id)).toBeEnabled();
  await page.clock.runFor(undoMs);
  for (const id of ids) expect((await readTicket(product, id)).status).toBe('pending');
  await page.getByRole('button', { name: /^Approuver 2\spaiements/ }).click();
  await question.getByRole('button', { name: 'Approuver' }).click();
  await page.clock.runFor(undoMs);
  for (const id of ids) await expectStatus(product, id, 'approved');
});
