import { createReadStream } from 'node:fs';
import { findViolations } from './accessibility.ts';
import { desktopSize, landscapeSize, phoneSize } from './browser.ts';
import { callAs, fileTickets, uniqueName } from './caller.ts';
import { expect, test } from './fixtures.ts';
import { anyPhone, expectFocusKept, makeReference, openAccount, sms, viewAddress, viewOf } from './incoming.ts';
import { boxOf, expectNoSidewaysScroll } from './layout.ts';
import { enterAsAdministrator } from './steps.ts';

for (const [where, size] of [
  ['a phone', phoneSize],
  ['a desktop', desktopSize],
] as const)
  test(`P18.8, P18.9, on ${where} an SMS that comes in is proposed within a poll and approved by keyboard alone`, async ({
    page,
    product,
  }) => {
    const { forward, admin } = await openAccount(product);
    const phone = anyPhone();
    const payer = await callAs(product, { firstName: 'Rita', lastName: uniqueName('Payeuse'), phone });
    const [id] = await fileTickets(payer, 1);
    const reference = makeReference();
    await payer.send('POST', `/api/tickets/${id}/payment-declaration`, { reference: reference.toLowerCase() });
    await page.setViewportSize(size);
    await enterAsAdministrator(page, product, viewAddress('approuver'));
    await expect(viewOf(page, 'À approuver')).toBeVisible();
    // A line before, whose balance the next one follows from.
    await forward(sms({ gross: '700.00', payer: '70000009', balance: '10000.00', reference: makeReference() }));
    await forward(sms({ gross: '5100.00', payer: phone, balance: '15100.00', reference }));
    const box = page.getByRole('checkbox', { name: new RegExp(`Approuver 5.100.FCFA pour le ticket n° ${id}$`) });
    await expect(box).toBeChecked();
    await expect(viewOf(page, 'À approuver')).toContainText('Référence et montant égaux');
    await expectNoSidewaysScroll(page);
    expect(await findViolations(page)).toEqual([]);
    const approve = page.getByRole('button', { name: /^Approuver \d+ paiement/ });
    if (size === phoneSize) {
      // On its side the button stays in sight on one low line, and at the end of the payments covers none of them.
      await page.setViewportSize(landscapeSize);
      const list = page.getByRole('list', { name: 'Paiements à approuver' });
      await expect(approve).toBeInViewport({ ratio: 1 });
      expect((await boxOf(approve.locator('..'))).height).toBeLessThanOrEqual(72);
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      await expect(approve).toBeInViewport({ ratio: 1 });
      expect((await boxOf(approve.locator('..'))).y).toBeGreaterThanOrEqual((await boxOf(list)).bottom);
      await page.setViewportSize(size);
    }
    await approve.press('Enter');
    const results = page.getByRole('dialog');
    await expect(results).toContainText('approuvé');
    await page.keyboard.press('Escape');
    await expectFocusKept(page);
    expect(await admin.send('GET', `/api/admin/tickets/${id}`)).toMatchObject({ status: 'approved' });
    await page.goto(`${product.url}/admin/tickets?ticket=${id}`);
    await expect(page.getByRole('region', { name: 'Payé par' })).toContainText(reference);
  });

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

test('P18.10, what is doubtful, alone, undeclared or unread has a view of its own, and what to do with it', async ({
  page,
  product,
}) => {
  const { forward, label } = await openAccount(product);
  const person = await callAs(product, {
    firstName: 'Doute',
    lastName: uniqueName('Sana'),
    phone: anyPhone(),
  });
  const [id] = await fileTickets(person, 1);
  const reference = makeReference();
  await person.send('POST', `/api/tickets/${id}/payment-declaration`, { reference });
  await forward(sms({ gross: '4000.00', payer: '70000008', balance: '4000.00', reference }));
  await forward(sms({ gross: '333.00', payer: '70000007', balance: '4333.00', reference: makeReference() }));
  await forward('Rendez-vous demain à midi');
  await forward(
    sms({ gross: '5100.00', payer: '70000006', balance: '9433.00', reference: makeReference() }),
    '+22670999999',
  );
  await page.setViewportSize(desktopSize);
  await enterAsAdministrator(page, product, viewAddress('regarder'));
  await expect(viewOf(page, 'À regarder')).toContainText(/1.100.FCFA de moins que la demande/);
  for (const [name, words] of [
    ['sans-demande', /333.FCFA/],
    ['non-lus', /Rendez-vous demain à midi/],
    ['non-lus', /Expéditeur inconnu/],
    ['tous', new RegExp(reference.replaceAll('.', '\\.'))],
  ] as const) {
    await page.goto(product.url + viewAddress(name));
    await expect(page.getByRole('main')).toContainText(words);
    expect(await findViolations(page), name).toEqual([]);
    await page.setViewportSize({ width: 320, height: 640 });
    await expectNoSidewaysScroll(page);
    await page.setViewportSize(desktopSize);
  }
  await page.goto(`${product.url}/admin/payments?section=comptes`);
  await expect(page.getByRole('main')).toContainText(label);
  expect(await findViolations(page)).toEqual([]);
});

test('P18.10, a reversal that names no payment is ignored once somebody has looked into it', async ({
  page,
  product,
}) => {
  const { accountId } = await openAccount(product, { type: 'MTN MoMo', country: '+225' });
  await page.setViewportSize(desktopSize);
  await enterAsAdministrator(page, product, viewAddress('tous'));
  const fixture = 'server/features/payment-feed/operators/mtn-ci/statements/55-colonnes.csv';
  const multipart = { accountId: String(accountId), dryRun: 'false', file: createReadStream(fixture) };
  const headers = { origin: product.url };
  const answer = await page.request.post(`${product.url}/api/admin/payments/imports`, { multipart, headers });
  expect(answer.status(), await answer.text()).toBe(200);
  await page.reload();
  const row = page.getByRole('row').filter({ hasText: 'Reprise' });
  await row.getByRole('button', { name: /^Ignorer/ }).click();
  await expect(row).toContainText('Ignoré');
  await expect(row.getByRole('button', { name: /^Relier/ })).toHaveCount(0);
  await row.getByRole('button', { name: /^Ne plus ignorer/ }).click();
  await expect(row).not.toContainText('Ignoré');
});
