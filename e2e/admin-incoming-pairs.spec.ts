import type { Page } from '@playwright/test';
import { findViolations } from './accessibility.ts';
import { phoneSize } from './browser.ts';
import { approveWaiting, callAs, callAsAdministrator, fileTickets, uniqueName } from './caller.ts';
import { expect, test } from './fixtures.ts';
import { anyPhone, expectFocusKept, makeReference, openAccount, sizes, sms, viewAddress, viewOf } from './incoming.ts';
import { expectNoSidewaysScroll } from './layout.ts';
import { expectFailure, expectToast } from './messages.ts';
import type { Product } from './product.ts';
import { enterAsAdministrator } from './steps.ts';

async function readStatus(product: Product, id: number): Promise<string> {
  const admin = await callAsAdministrator(product);
  const { status } = (await admin.send('GET', `/api/admin/tickets/${id}`)) as { status: string };
  await admin.end();
  return status;
}

/** A payment among the doubtful ones, with the requests that it may be for. */
const itemOf = (page: Page, reference: string) =>
  viewOf(page, 'À regarder')
    .getByRole('list', { name: 'Paiements à regarder' })
    .locator('> li')
    .filter({ hasText: reference });

for (const [where, size] of sizes) {
  test(`P18.9, on ${where} one of two requests that a payment may be for is approved, by keyboard`, async ({
    page,
    product,
  }) => {
    const { admin, forward } = await openAccount(product);
    await approveWaiting(admin);
    const phone = anyPhone();
    const payer = await callAs(product, { firstName: 'Choix', lastName: uniqueName('Payeuse'), phone });
    const [first = 0, second = 0] = await fileTickets(payer, 2);
    const reference = makeReference();
    await forward(sms({ gross: '5100.00', payer: phone, balance: '5100.00', reference }));
    await page.setViewportSize(size);
    await enterAsAdministrator(page, product, viewAddress('regarder'));
    const item = itemOf(page, reference);
    const candidates = item.getByRole('list', { name: /^Demandes possibles pour 5.100.FCFA$/ }).locator('> li');
    await expect(candidates).toHaveCount(2);
    await expect(candidates.first()).toContainText('Numéro du payeur et montant égaux');
    for (const colorScheme of size === phoneSize ? (['dark', 'light'] as const) : (['light'] as const)) {
      await page.emulateMedia({ colorScheme });
      expect(await findViolations(page), colorScheme).toEqual([]);
    }
    await expectNoSidewaysScroll(page);
    const approve = (id: number) =>
      item.getByRole('button', { name: `Approuver le ticket n° ${id} par ce paiement`, exact: true });
    await expect(approve(first)).toBeVisible();
    await approve(second).press('Enter');
    await expectToast(page, `Ticket n° ${second}`, 'Paiement relié et demande approuvée.');
    await expect(item).toHaveCount(0);
    await expectFocusKept(page);
    expect(await readStatus(product, second)).toBe('approved');
    expect(await readStatus(product, first)).toBe('pending');
    expect(await admin.send('GET', `/api/admin/payments/tickets/${second}`)).toMatchObject({
      payment: { isMatched: true, line: { reference } },
    });
    await admin.end();
  });

  test(`P18.9, on ${where} a doubtful pair that was decided meanwhile is refused, and a payment of another amount offers no approval`, async ({
    page,
    product,
  }) => {
    const { admin, forward } = await openAccount(product);
    await approveWaiting(admin);
    const payer = await callAs(product, { firstName: 'Tard', lastName: uniqueName('Payeur'), phone: anyPhone() });
    const [id = 0] = await fileTickets(payer, 1);
    const [wrong, alike] = [makeReference(), makeReference()];
    await payer.send('POST', `/api/tickets/${id}/payment-declaration`, { reference: wrong });
    await forward(sms({ gross: '5000.00', payer: anyPhone(), balance: '5000.00', reference: wrong }));
    await forward(sms({ gross: '5100.00', payer: anyPhone(), balance: '10100.00', reference: alike }));
    await page.setViewportSize(size);
    await enterAsAdministrator(page, product, viewAddress('regarder'));
    const possible = (reference: string, amount: RegExp) =>
      itemOf(page, reference).getByRole('list', { name: amount }).locator('> li');
    const less = possible(wrong, /^Demandes possibles pour 5.000.FCFA$/);
    await expect(less).toContainText(/Il manque 100.FCFA/);
    await expect(less.getByRole('button', { name: /^Approuver/ })).toHaveCount(0);
    const pair = possible(alike, /^Demandes possibles pour 5.100.FCFA$/);
    await expect(pair).toContainText('Autre numéro que celui de la personne.');
    const asked = page.waitForRequest('**/api/admin/payments/approvals');
    // Decided between the last poll and the press.
    await page.route('**/api/admin/payments/approvals', async (route) => {
      await admin.send('PATCH', `/api/tickets/${id}/status`, { status: 'rejected' });
      await route.continue();
    });
    await pair
      .getByRole('button', { name: `Approuver le ticket n° ${id} par ce paiement`, exact: true })
      .press('Enter');
    await asked;
    await expectFailure(page, `Ticket n° ${id}`);
    expect(await readStatus(product, id)).toBe('rejected');
    expect(await admin.send('GET', `/api/admin/payments/tickets/${id}`)).toEqual({ payment: null });
    await admin.end();
  });

  test(`P18.9, on ${where} a payment whose tick is taken away is not approved with the others, by keyboard`, async ({
    page,
    product,
  }) => {
    const { admin, forward } = await openAccount(product);
    await approveWaiting(admin);
    let balance = 20_000;
    await forward(sms({ gross: '701.00', payer: anyPhone(), balance: `${balance}.00`, reference: makeReference() }));
    const ids: number[] = [];
    for (let nth = 0; nth < 2; nth += 1) {
      const phone = anyPhone();
      const payer = await callAs(product, { firstName: 'Coche', lastName: uniqueName('Payeuse'), phone });
      const [id = 0] = await fileTickets(payer, 1);
      const reference = makeReference();
      await payer.send('POST', `/api/tickets/${id}/payment-declaration`, { reference });
      balance += 5_100;
      await forward(sms({ gross: '5100.00', payer: phone, balance: `${balance}.00`, reference }));
      ids.push(id);
    }
    const [kept = 0, left = 0] = ids;
    await page.setViewportSize(size);
    await enterAsAdministrator(page, product, viewAddress('approuver'));
    const tick = (id: number) =>
      page.getByRole('checkbox', { name: new RegExp(`^Approuver 5.100.FCFA pour le ticket n° ${id}$`) });
    await expect(tick(kept)).toBeChecked();
    await expect(tick(left)).toBeChecked();
    await expect(page.getByRole('button', { name: /^Approuver 2 paiements · 10.200.FCFA$/ })).toBeEnabled();
    await tick(left).press(' ');
    await expect(tick(left)).not.toBeChecked();
    await page.getByRole('button', { name: /^Approuver 1 paiement · 5.100.FCFA$/ }).press('Enter');
    const results = page.getByRole('dialog', { name: '1 paiement approuvé sur 1' });
    const rows = results.getByRole('list', { name: 'Résultat par paiement' }).getByRole('listitem');
    await expect(rows).toHaveText([new RegExp(`n°.${kept} · 5.100.FCFAFait`)]);
    await results.getByRole('button', { name: 'Fermer', exact: true }).press('Enter');
    await expect(results).toHaveCount(0);
    await expectFocusKept(page);
    await expect(tick(kept)).toHaveCount(0);
    await expect(tick(left)).toBeVisible();
    expect(await readStatus(product, kept)).toBe('approved');
    expect(await readStatus(product, left)).toBe('pending');
    // Without a tick there is nothing to approve.
    if (await tick(left).isChecked()) await tick(left).press(' ');
    await expect(page.getByRole('button', { name: /^Approuver 0 paiement/ })).toBeDisabled();
    await admin.end();
  });
}
