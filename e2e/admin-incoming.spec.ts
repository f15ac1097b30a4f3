import type { Locator } from '@playwright/test';
import { sql } from 'drizzle-orm';
import { desktopSize, phoneSize } from './browser.ts';
import { approveWaiting, callAs, fileTickets, uniqueName } from './caller.ts';
import { stopClock } from './clock.ts';
import { expect, test } from './fixtures.ts';
import {
  anyPhone,
  enter,
  expectFocusKept,
  expectLegible,
  type Fed,
  makeReference,
  openAccount,
  rowOf,
  sms,
  viewAddress,
  viewOf,
} from './incoming.ts';
import { boxOf, expectNoSidewaysScroll } from './layout.ts';
import { expectFailure, expectToast } from './messages.ts';
import type { Product } from './product.ts';
import { enterAsAdministrator } from './steps.ts';

/** A new account, with no request waiting but those that the test files. */
async function openAlone(product: Product) {
  const account = await openAccount(product);
  await approveWaiting(account.admin);
  return account;
}

/** A person who filed tickets of 5 100 francs. */
async function fileFor(product: Product, count: number) {
  const phone = anyPhone();
  const payer = await callAs(product, { firstName: 'Rita', lastName: uniqueName('Payeuse'), phone });
  return { payer, phone, ids: await fileTickets(payer, count) };
}

/** Tickets that are declared paid, and their payments: all are sure. */
async function pay(product: Product, { forward, forwardConfirmed }: Fed, count: number) {
  const { payer, phone, ids } = await fileFor(product, count);
  let balance = 20_000;
  await forwardConfirmed(balance);
  const filed: { id: number; reference: string }[] = [];
  for (const id of ids) {
    const reference = makeReference();
    await payer.send('POST', `/api/tickets/${id}/payment-declaration`, { reference: reference.toLowerCase() });
    balance += 5_100;
    await forward(sms({ gross: '5100.00', payer: phone, balance: `${balance}.00`, reference }));
    filed.push({ id, reference });
  }
  return filed as [(typeof filed)[0], (typeof filed)[0], ...typeof filed];
}

test('P18.8, P18.9, an SMS that comes in is proposed within a poll and approved by keyboard alone; what is not ticked is not', async ({
  page,
  product,
}) => {
  const account = await openAlone(product);
  const { admin } = account;
  await page.setViewportSize(desktopSize);
  await enterAsAdministrator(page, product, viewAddress('approuver'));
  const view = viewOf(page, 'À approuver');
  await expect(view).toBeVisible();
  const [kept, left] = await pay(product, account, 2);
  const tick = (id: number) =>
    page.getByRole('checkbox', { name: new RegExp(`^Approuver 5.100.FCFA pour le ticket n° ${id}$`) });
  await expect(tick(kept.id)).toBeChecked();
  await expect(tick(left.id)).toBeChecked();
  await expect(view).toContainText('Référence et montant égaux');
  await expectLegible(page);
  await tick(left.id).press(' ');
  await enter(page, /^Approuver 1\spaiement · 5.100.FCFA$/);
  await expectToast(page, 'Statut mis à jour', `Ticket n°\u00a0${kept.id}\u00a0: Approuvé.`);
  await expect(tick(kept.id)).toBeDisabled();
  await expect(tick(kept.id)).toHaveCount(0);
  await expectFocusKept(page);
  await expect(tick(left.id)).not.toBeChecked();
  await expect(view).toContainText('Cochez les paiements à approuver.');
  expect(await admin.send('GET', `/api/admin/tickets/${kept.id}`)).toMatchObject({ status: 'approved' });
  expect(await admin.send('GET', `/api/admin/tickets/${left.id}`)).toMatchObject({ status: 'pending' });
  // What is left is told on the dashboard and in the table.
  await page.goto(`${product.url}/admin`);
  await expect(page.getByRole('link', { name: 'Voir les paiements' })).toBeVisible();
  await page.goto(`${product.url}/admin/tickets?recherche=${left.id}`);
  const found = page.locator(`[data-row="${left.id}"]`).getByText('Paiement vu', { exact: true });
  await expect(found).toHaveAttribute('title', /Référence et montant égaux/);
  await page.goto(`${product.url}/admin/tickets?ticket=${kept.id}`);
  await expect(page.getByRole('region', { name: 'Payé par' })).toContainText(kept.reference);
  // The operator takes it back: ticket and payment say so, and nothing is decided.
  const db = await product.openDatabase();
  const anomaly = "L'opérateur a repris ce paiement.";
  await db.execute(
    sql`update payment_lines set state = 'reversed', anomaly = ${anomaly} where reference = ${kept.reference}`,
  );
  await expect(page.getByRole('region', { name: 'Payé par' })).toContainText(anomaly);
  await page.goto(`${product.url + viewAddress('tous')}&recherche=${kept.reference}`);
  const taken = rowOf(page, 'Tous les paiements', kept.reference);
  await expect(taken).toContainText('Repris');
  await expect(taken).toContainText(anomaly);
  expect(await admin.send('GET', `/api/admin/tickets/${kept.id}`)).toMatchObject({ status: 'approved' });
});

test('P18.9, a doubtful payment is approved for one of its requests, refused where that was decided meanwhile, and offers nothing for another amount', async ({
  page,
  product,
}) => {
  const { admin, forward } = await openAlone(product);
  const { phone, ids } = await fileFor(product, 2);
  const [first = 0, second = 0] = ids;
  const late = await fileFor(product, 1);
  const [third = 0] = late.ids;
  const [equal, less, alike] = [makeReference(), makeReference(), makeReference()];
  await late.payer.send('POST', `/api/tickets/${third}/payment-declaration`, { reference: less });
  await forward(sms({ gross: '5000.00', payer: anyPhone(), balance: '5000.00', reference: less }));
  await forward(sms({ gross: '5100.00', payer: phone, balance: '10100.00', reference: equal }));
  await forward(sms({ gross: '5100.00', payer: anyPhone(), balance: '15200.00', reference: alike }));
  await page.setViewportSize(desktopSize);
  await enterAsAdministrator(page, product, viewAddress('regarder'));
  const item = (reference: string) => rowOf(page, 'À regarder', reference);
  const other = item(less).getByRole('list', { name: /^Demandes possibles pour 5.000.FCFA$/ });
  await expect(other).toContainText(/100.FCFA de moins que la demande/);
  await expect(other.getByRole('button', { name: /^Approuver/ })).toHaveCount(0);
  const candidates = item(equal).getByRole('list', { name: /^Demandes possibles pour 5.100.FCFA$/ });
  await expect(candidates.locator('> li').first()).toContainText('Numéro du payeur et montant égaux');
  await expectLegible(page);
  // Decided between the last poll and the press.
  await page.route('**/api/admin/payments/approvals', async (route) => {
    await admin.send('PATCH', `/api/tickets/${third}/status`, { status: 'rejected' });
    await route.continue();
  });
  const approve = async (payment: Locator, id: number, doubt: string) => {
    await enter(payment, `Approuver le ticket n° ${id} par ce paiement`);
    const question = page.getByRole('dialog', { name: new RegExp(`^Approuver la demande n°.${id} · 5.100.FCFA.\\?$`) });
    await expect(question).toContainText(doubt);
    await enter(question, 'Approuver quand même');
  };
  await approve(item(alike), third, 'Même montant');
  await expectFailure(page, 'Erreur', `Ticket n°\u00a0${third}\u00a0: Un autre administrateur`);
  await page.unroute('**/api/admin/payments/approvals');
  await approve(item(equal), second, 'Numéro du payeur et montant égaux');
  await expectToast(page, 'Statut mis à jour', `Ticket n°\u00a0${second}\u00a0: Approuvé.`);
  await expect(item(equal)).toHaveCount(0);
  await expectFocusKept(page);
  expect(await admin.send('GET', `/api/admin/payments/tickets/${second}`)).toMatchObject({
    payment: { isMatched: true, line: { reference: equal } },
  });
  expect(await admin.send('GET', `/api/admin/tickets/${first}`)).toMatchObject({ status: 'pending' });
  expect(await admin.send('GET', `/api/admin/tickets/${third}`)).toMatchObject({ status: 'rejected' });
});

test('P18.10, P18.11, a payment without a request is related to a ticket, taken from it again, and ignored, by keyboard', async ({
  page,
  product,
  provoke,
}) => {
  provoke('409 /api/admin/payments/lines');
  const { admin, accountId, label, forward } = await openAlone(product);
  const { payer, ids } = await fileFor(product, 2);
  const [id = 0, refused = 0] = ids;
  const [reference, small] = [makeReference(), makeReference()];
  await payer.send('POST', `/api/tickets/${refused}/payment-declaration`, { reference: small });
  await admin.send('PATCH', `/api/tickets/${id}/status`, { status: 'approved' });
  await admin.send('PATCH', `/api/tickets/${refused}/status`, { status: 'rejected' });
  await forward(sms({ gross: '5100.00', payer: anyPhone(), balance: '5100.00', reference }));
  await forward(sms({ gross: '777.00', payer: anyPhone(), balance: '5877.00', reference: small }));
  await page.setViewportSize(phoneSize);
  await enterAsAdministrator(page, product, viewAddress('sans-demande'));
  const row = (words: string) => rowOf(page, 'Sans demande', words);
  await expect(row(small)).toContainText(new RegExp(`n°.${refused} rejeté`));
  await expectLegible(page);
  // On a desk each is one line of a table, and on a phone nothing scrolls sideways with text twice as large.
  await page.setViewportSize({ width: 1024, height: 768 });
  expect((await boxOf(row(reference))).height).toBeLessThan(60);
  await page.setViewportSize(phoneSize);
  const setTextSize = (size: string) =>
    page.evaluate((px) => document.documentElement.style.setProperty('font-size', px), size);
  await setTextSize('32px');
  await expectNoSidewaysScroll(page);
  await setTextSize('');
  const relate = /^Relier à un ticket \([\d\s]+FCFA\)$/;
  const dialog = page.getByRole('dialog', { name: 'Relier à un ticket' });
  const field = dialog.getByRole('textbox', { name: 'Numéro du ticket' });

  // What is no number, or of another amount is refused, and pairs nothing.
  await enter(row(small), relate);
  await enter(dialog, 'Relier');
  await expect(dialog).toContainText('Saisissez le numéro du ticket, par exemple 418.');
  await expect(field).toBeFocused();
  await field.fill(String(id));
  await page.keyboard.press('Enter');
  await expect(
    page.getByRole('alert').filter({ hasText: 'Le montant du paiement et celui du ticket diffèrent.' }),
  ).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(row(small).getByRole('button', { name: relate })).toBeFocused();
  await enter(row(reference), relate);
  // Those of its amount are there to choose; one that is typed may have its mark.
  await enter(dialog, `Choisir le ticket n° ${id}`);
  await expect(field).toHaveValue(String(id));
  await field.fill(`n° ${id}`);
  await page.keyboard.press('Enter');
  await expectToast(page, 'Paiement relié au ticket', new RegExp(`de la demande n°.${id} n'a pas changé`));
  await expect(row(reference)).toHaveCount(0);
  await expectFocusKept(page);

  await page.goto(`${product.url + viewAddress('tous')}&recherche=${reference}`);
  const all = rowOf(page, 'Tous les paiements', reference);
  await expect(all.getByRole('link', { name: new RegExp(`^Ouvrir le ticket n°.${id},`) })).toBeVisible();
  await enter(all, /^Retirer du ticket \(5.100.FCFA\)$/);
  const taken = page.getByRole('dialog', { name: 'Paiement retiré du ticket' });
  await expect(taken).toContainText(new RegExp(`La demande n°.${id} reste approuvée\\. Voulez-vous la rejeter`));
  await enter(taken, 'La laisser approuvée');
  await expectFocusKept(page);
  expect(await admin.send('GET', `/api/admin/tickets/${id}`)).toMatchObject({ status: 'approved' });
  await page.getByRole('combobox', { name: 'Date' }).selectOption("Aujourd'hui");
  await page.getByRole('combobox', { name: 'Compte' }).selectOption(label);
  await expect(page).toHaveURL(new RegExp(`periode=jour&compte=${accountId}`));
  await expect(all).toHaveCount(1);
  await enter(all, /^Ignorer/);
  await expectToast(page, 'Paiement ignoré', /5.100.FCFA/);
  expect(await admin.send('GET', `/api/admin/payments?q=${reference}`)).toMatchObject([
    { isIgnored: true, ticketId: null },
  ]);
});

test('P18.9, what a decision of the queue leaves of the proposals is in the table when it is sent, before the next poll', async ({
  page,
  product,
}) => {
  const { forward } = await openAlone(product);
  const { phone, ids } = await fileFor(product, 2);
  const [first = 0, second = 0] = ids.toSorted((a, b) => a - b);
  await forward(sms({ gross: '5100.00', payer: phone, balance: '20000.00', reference: makeReference() }));
  await page.clock.install();
  await page.setViewportSize(desktopSize);
  await enterAsAdministrator(page, product, '/admin/tickets?vue=file');
  await expect(page.getByRole('heading', { name: new RegExp(`^Ticket n° ${first},`) })).toBeFocused();
  await expect(page.getByRole('region', { name: 'Paiement possible' })).toBeVisible();
  await stopClock(page);
  await page.keyboard.press('a');
  await page.getByRole('link', { name: 'Tableau', exact: true }).click();
  const other = page
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name: `Ouvrir le ticket n° ${second}`, exact: true }) });
  /** What is said of it, once what came in is drawn, which a timer does. */
  const said = async () => {
    await page.clock.runFor(1);
    return (await other.allTextContents()).join('');
  };
  await expect.poll(said).toContain('Paiement possible');
  await page.clock.runFor(5_000);
  // So seldom that the clock hardly moves: the next poll comes up to 0.2 seconds later.
  await expect.poll(said, { intervals: [500] }).toContain('Paiement vu');
});
