import type { Page } from '@playwright/test';
import { findViolations } from './accessibility.ts';
import { desktopSize, phoneSize } from './browser.ts';
import { approveWaiting, callAs, fileTickets, uniqueName } from './caller.ts';
import { expect, test } from './fixtures.ts';
import { anyPhone, expectFocusKept, makeReference, openAccount, sizes, sms, viewAddress, viewOf } from './incoming.ts';
import { expectNoSidewaysScroll } from './layout.ts';
import { expectToast } from './messages.ts';
import { enterAsAdministrator } from './steps.ts';

/** On a phone a view is judged in both themes. */
async function expectLegible(page: Page, size: { width: number }): Promise<void> {
  for (const colorScheme of size === phoneSize ? (['dark', 'light'] as const) : (['light'] as const)) {
    await page.emulateMedia({ colorScheme });
    expect(await findViolations(page), colorScheme).toEqual([]);
  }
  await expectNoSidewaysScroll(page);
}

/** A payment among the doubtful ones, with the requests that it may be for. */
const itemOf = (page: Page, reference: string) =>
  viewOf(page, 'À regarder').locator('[data-row]').filter({ hasText: reference });

for (const [where, size] of sizes) {
  test(`P18.8, P18.9, on ${where} an SMS that comes in is proposed within a poll and approved by keyboard alone; what is not ticked is not`, async ({
    page,
    product,
  }) => {
    const { forward, admin } = await openAccount(product);
    await approveWaiting(admin);
    await page.setViewportSize(size);
    await enterAsAdministrator(page, product, viewAddress('approuver'));
    await expect(viewOf(page, 'À approuver')).toBeVisible();
    // A line before, whose balance the next one follows from.
    let balance = 20_000;
    await forward(sms({ gross: '700.00', payer: anyPhone(), balance: `${balance}.00`, reference: makeReference() }));
    const filed: { id: number; reference: string }[] = [];
    for (let nth = 0; nth < 2; nth += 1) {
      const [phone, reference] = [anyPhone(), makeReference()];
      const payer = await callAs(product, { firstName: 'Rita', lastName: uniqueName('Payeuse'), phone });
      const [id = 0] = await fileTickets(payer, 1);
      await payer.send('POST', `/api/tickets/${id}/payment-declaration`, { reference: reference.toLowerCase() });
      balance += 5_100;
      await forward(sms({ gross: '5100.00', payer: phone, balance: `${balance}.00`, reference }));
      filed.push({ id, reference });
    }
    const [kept, left] = filed as [(typeof filed)[0], (typeof filed)[0]];
    const tick = (id: number) =>
      page.getByRole('checkbox', { name: new RegExp(`^Approuver 5.100.FCFA pour le ticket n° ${id}$`) });
    await expect(tick(kept.id)).toBeChecked();
    await expect(tick(left.id)).toBeChecked();
    await expect(viewOf(page, 'À approuver')).toContainText('Référence et montant égaux');
    await expectLegible(page, size);
    await tick(left.id).press(' ');
    await page.getByRole('button', { name: /^Approuver 1 paiement · 5.100.FCFA$/ }).press('Enter');
    await expectToast(page, '1 paiement approuvé sur 1');
    await expect(tick(kept.id)).toHaveCount(0);
    await expectFocusKept(page);
    await expect(tick(left.id)).not.toBeChecked();
    await expect(viewOf(page, 'À approuver')).toContainText('Cochez les paiements à approuver.');
    expect(await admin.send('GET', `/api/admin/tickets/${kept.id}`)).toMatchObject({ status: 'approved' });
    expect(await admin.send('GET', `/api/admin/tickets/${left.id}`)).toMatchObject({ status: 'pending' });
    await page.goto(`${product.url}/admin/tickets?ticket=${kept.id}`);
    await expect(page.getByRole('region', { name: 'Payé par' })).toContainText(kept.reference);
    await admin.end();
  });

  test(`P18.9, on ${where} a doubtful payment is approved for one of its requests, refused where that was decided meanwhile, and offers nothing for another amount`, async ({
    page,
    product,
  }) => {
    const { admin, forward } = await openAccount(product);
    await approveWaiting(admin);
    const phone = anyPhone();
    const payer = await callAs(product, { firstName: 'Choix', lastName: uniqueName('Payeuse'), phone });
    const late = await callAs(product, { firstName: 'Tard', lastName: uniqueName('Payeur'), phone: anyPhone() });
    const [first = 0, second = 0] = await fileTickets(payer, 2);
    const [third = 0] = await fileTickets(late, 1);
    const [equal, less, alike] = [makeReference(), makeReference(), makeReference()];
    await late.send('POST', `/api/tickets/${third}/payment-declaration`, { reference: less });
    await forward(sms({ gross: '5000.00', payer: anyPhone(), balance: '5000.00', reference: less }));
    await forward(sms({ gross: '5100.00', payer: phone, balance: '10100.00', reference: equal }));
    await forward(sms({ gross: '5100.00', payer: anyPhone(), balance: '15200.00', reference: alike }));
    await page.setViewportSize(size);
    await enterAsAdministrator(page, product, viewAddress('regarder'));
    const other = itemOf(page, less).getByRole('list', { name: /^Demandes possibles pour 5.000.FCFA$/ });
    await expect(other).toContainText(/100.FCFA de moins que la demande/);
    await expect(other.getByRole('button', { name: /^Approuver/ })).toHaveCount(0);
    const item = itemOf(page, equal);
    const candidates = item.getByRole('list', { name: /^Demandes possibles pour 5.100.FCFA$/ }).locator('> li');
    await expect(candidates.first()).toContainText('Numéro du payeur et montant égaux');
    await expectLegible(page, size);
    const approve = (reference: string, id: number) =>
      itemOf(page, reference).getByRole('button', {
        name: `Approuver le ticket n° ${id} par ce paiement`,
        exact: true,
      });
    // Decided between the last poll and the press.
    await page.route('**/api/admin/payments/approvals', async (route) => {
      await admin.send('PATCH', `/api/tickets/${third}/status`, { status: 'rejected' });
      await route.continue();
    });
    await approve(alike, third).press('Enter');
    const results = page.getByRole('dialog', { name: '0 paiement approuvé sur 1' });
    await expect(results.getByRole('list', { name: 'Résultat par paiement' })).toContainText('Refusé');
    await results.getByRole('button', { name: 'Fermer', exact: true }).press('Enter');
    // It gives the focus back as it goes.
    await expect(results).toHaveCount(0);
    await page.unroute('**/api/admin/payments/approvals');
    await approve(equal, second).press('Enter');
    await expectToast(page, '1 paiement approuvé sur 1');
    await expect(item).toHaveCount(0);
    await expectFocusKept(page);
    expect(await admin.send('GET', `/api/admin/payments/tickets/${second}`)).toMatchObject({
      payment: { isMatched: true, line: { reference: equal } },
    });
    expect(await admin.send('GET', `/api/admin/tickets/${first}`)).toMatchObject({ status: 'pending' });
    expect(await admin.send('GET', `/api/admin/tickets/${third}`)).toMatchObject({ status: 'rejected' });
    await admin.end();
  });

  test(`P18.10, P18.11, on ${where} a payment without a request is related to a ticket, taken from it again, and ignored, by keyboard`, async ({
    page,
    product,
    provoke,
  }) => {
    provoke('409 /api/admin/payments/lines');
    const { admin, forward } = await openAccount(product);
    const person = await callAs(product, { firstName: 'Relie', lastName: uniqueName('Sana'), phone: anyPhone() });
    await approveWaiting(admin);
    const [id = 0] = await fileTickets(person, 1);
    await admin.send('PATCH', `/api/tickets/${id}/status`, { status: 'approved' });
    const [reference, small] = [makeReference(), makeReference()];
    await forward(sms({ gross: '5100.00', payer: anyPhone(), balance: '5100.00', reference }));
    await forward(sms({ gross: '777.00', payer: anyPhone(), balance: '5877.00', reference: small }));
    await page.setViewportSize(size);
    await enterAsAdministrator(page, product, viewAddress('sans-demande'));
    const row = (words: string) => viewOf(page, 'Sans demande').locator('[data-row]').filter({ hasText: words });
    await expect(row(small)).toBeVisible();
    await expectLegible(page, size);
    const relate = (words: string) => row(words).getByRole('button', { name: /^Relier à un ticket \([\d\s]+FCFA\)$/ });
    const dialog = page.getByRole('dialog', { name: 'Relier à un ticket' });
    const field = dialog.getByRole('textbox', { name: 'Numéro du ticket' });

    // What is no number, or of another amount is refused, and pairs nothing.
    await relate(small).press('Enter');
    await dialog.getByRole('button', { name: 'Relier', exact: true }).press('Enter');
    await expect(dialog).toContainText('Saisissez le numéro du ticket, par exemple 418.');
    await expect(field).toBeFocused();
    await field.fill(String(id));
    await page.keyboard.press('Enter');
    await expect(
      page.getByRole('alert').filter({ hasText: 'Le montant du paiement et celui du ticket diffèrent.' }),
    ).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(relate(small)).toBeFocused();
    await relate(reference).press('Enter');
    await field.fill(`n° ${id}`);
    await page.keyboard.press('Enter');
    await expectToast(page, 'Paiement relié au ticket', new RegExp(`de la demande n°.${id} n'a pas changé`));
    await expect(row(reference)).toHaveCount(0);
    await expectFocusKept(page);

    await page.goto(`${product.url + viewAddress('tous')}&recherche=${reference}`);
    const all = viewOf(page, 'Tous les paiements').locator('[data-row]').filter({ hasText: reference });
    await expect(all.getByRole('link', { name: new RegExp(`^Ouvrir le ticket n°.${id},`) })).toBeVisible();
    await all.getByRole('button', { name: /^Retirer du ticket \(5.100.FCFA\)$/ }).press('Enter');
    const taken = page.getByRole('dialog', { name: 'Paiement retiré du ticket' });
    await expect(taken).toContainText(new RegExp(`La demande n°.${id} reste approuvée\\. Voulez-vous la rejeter`));
    await taken.getByRole('button', { name: 'La laisser approuvée', exact: true }).press('Enter');
    await expectFocusKept(page);
    expect(await admin.send('GET', `/api/admin/tickets/${id}`)).toMatchObject({ status: 'approved' });
    await all.getByRole('button', { name: /^Ignorer/ }).press('Enter');
    await expectToast(page, 'Paiement ignoré', /5.100.FCFA/);
    expect(await admin.send('GET', `/api/admin/payments?q=${reference}`)).toMatchObject([
      { isIgnored: true, ticketId: null },
    ]);
    await admin.end();
  });
}

test('P18.9, a request that is approved in the table, with others or in the queue is approved with its sure payment', async ({
  page,
  product,
}) => {
  const { forward, admin } = await openAccount(product);
  const phone = anyPhone();
  const payer = await callAs(product, { firstName: 'Nadia', lastName: uniqueName('Payeuse'), phone });
  const ids = await fileTickets(payer, 3);
  let balance = 10_000;
  await forward(sms({ gross: '700.00', payer: '70000009', balance: `${balance}.00`, reference: makeReference() }));
  for (const id of ids) {
    const reference = makeReference();
    balance += 5_100;
    await payer.send('POST', `/api/tickets/${id}/payment-declaration`, { reference });
    await forward(sms({ gross: '5100.00', payer: phone, balance: `${balance}.00`, reference }));
  }
  const isMatched = async (id: number) =>
    ((await admin.send('GET', `/api/admin/payments/tickets/${id}`)) as { payment: { isMatched: boolean } | null })
      .payment?.isMatched;
  await expect.poll(() => Promise.all(ids.map(isMatched))).toEqual([false, false, false]);
  const [first, second, third] = ids as [number, number, number];
  await page.setViewportSize(desktopSize);
  await enterAsAdministrator(page, product, '/admin/tickets');
  const row = (id: number) =>
    page.getByRole('row').filter({ has: page.getByRole('button', { name: `Ouvrir le ticket n° ${id}`, exact: true }) });
  for (const id of ids) await expect(row(id)).toContainText('Paiement vu');
  await page.getByRole('button', { name: `Approuver le ticket n° ${first}`, exact: true }).click();
  await expect(row(first)).toContainText('Approuvé');
  await page.getByRole('checkbox', { name: `Choisir le ticket n° ${second}`, exact: true }).check();
  await page.getByRole('button', { name: /^Approuver 1 ticket|^Approuver$/ }).click();
  await expect(page.getByRole('dialog')).toContainText('1 ticket(s) mis à jour sur 1');
  await page.keyboard.press('Escape');
  await page.goto(`${product.url}/admin/tickets?vue=file`);
  await expect(page.getByRole('heading', { name: /^Ticket n°/ })).toBeVisible();
  const isThird = page.getByRole('heading', { name: new RegExp(`^Ticket n° ${third},`) });
  while (!(await isThird.isVisible())) await page.keyboard.press('j');
  await expect(page.getByRole('region', { name: 'Paiement vu' })).toBeVisible();
  await page.keyboard.press('a');
  await expect.poll(() => Promise.all(ids.map(isMatched))).toEqual([true, true, true]);
  expect(await admin.send('GET', `/api/admin/tickets/${third}`)).toMatchObject({ status: 'approved' });
});
