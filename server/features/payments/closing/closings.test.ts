import { readXlsx } from 'hucre/xlsx';
import { beforeEach, expect, test } from 'vitest';
import { countRows, statementForm } from '#server/testing/bodies.ts';
import {
  buildAdmin,
  buildCaller,
  buildMatchedLine,
  buildPaymentAccount,
  buildPaymentLine,
  buildTicket,
} from '#server/testing/builders.ts';
import { eventually } from '#server/testing/eventually.ts';
import { openSource, orangeSms } from '#server/testing/payment-book.ts';
import { startTestApi } from '#server/testing/test-api.ts';

let account: Awaited<ReturnType<typeof buildPaymentAccount>>;
const api = await startTestApi();
const { client: admin } = await buildAdmin(api);
beforeEach(async () => {
  await api.pool.query('truncate payment_accounts cascade; delete from tickets');
  account = await buildPaymentAccount(api.db, { allowedSenders: ['OrangeMoney'] });
});

const day = '2025-11-24';
const path = '/api/admin/payments/closings';
const read = async (of = day, accountId = account.id) =>
  (await admin.get(`${path}?accountId=${accountId}&day=${of}`)).body;
const sign = async (digest: string, of = day, reasons?: object) =>
  admin.post(path, { accountId: account.id, day: of, digest, reasons });
const at = (time: string) => new Date(`${day}T${time}Z`);

interface Told {
  reference: string;
  balance: number;
  text: string;
  /** As Orange's statement has it. */
  row: string;
}

/** A day of payments of 1,100 francs, three in a minute, each fiftieth followed by a transfer with a fee and a tax. */
function makeDay(count: number): Told[] {
  let balance = 500_000;
  return Array.from({ length: count }, (_, place): Told[] => {
    const minute = `${8 + Math.floor(place / 180)}`.padStart(2, '0') + `${Math.floor(place / 3) % 60}`.padStart(2, '0');
    const clock = `24/11/2025 ${minute.slice(0, 2)}:${minute.slice(2)}:0${place % 3}`;
    const tell = (letters: string, amount: number, make: (reference: string) => string): Told => {
      balance += amount;
      const reference = `${letters}251124.${minute}.${10_000_000 + place}`;
      const [credit, debit] = amount > 0 ? [`${amount}`, ''] : ['', `${-amount}`];
      const row = `${clock};TS;${reference};;57000000;;57000000 Money Received from 70111111;;${credit};${debit};;;${balance};;`;
      return { reference, balance, row, text: make(reference) };
    };
    const paid = tell('PP', 1_100, (reference) => orangeSms({ balance: `${balance}.00`, reference }));
    if (place % 50 !== 49) return [paid];
    const fees = 'Frais: 4.3478 FCFA, Taxe: 0.6522 FCFA';
    const spend = (reference: string) =>
      `Votre paiement de 500.00 FCFA, ${fees} a B EXEMPLE a ete effectue avec succes. Votre solde est de : ${balance}.00 FCFA. Trans id: ${reference}.`;
    return [paid, tell('MP', -505, spend)];
  }).flat();
}

test('of a day of 300 payments with two messages missing it names both places and only these; a statement makes it whole', async () => {
  const told = makeDay(300);
  const gone = [told[90], told[220]] as [Told, Told];
  const { path: feed } = await openSource(admin, account.id);
  // The day before, and the messages in an order of their own.
  const opening = orangeSms({ balance: '500000.00', reference: 'PP251123.2100.10000000' });
  const sent = told
    .filter((each) => !gone.includes(each))
    .toSorted((a, b) => a.reference.slice(-2).localeCompare(b.reference.slice(-2)));
  for (const text of [opening, ...sent.map((each) => each.text)]) {
    const sms = { from: 'OrangeMoney', text, sentStamp: Date.now(), receivedStamp: Date.now(), sim: 'SIM1' };
    expect((await api.client().post(feed, sms)).status).toBe(200);
  }
  const seen = await read();
  const gap = (place: number) => ({
    before: expect.objectContaining({
      reference: told[place - 1]?.reference,
      balance: (told[place - 1]?.balance ?? 0) * 100,
    }),
    after: expect.objectContaining({ reference: told[place + 1]?.reference }),
    missing: 110_000,
  });
  expect(seen.figures.gaps).toEqual([gap(90), gap(220)]);
  const came = { count: 298, sum: 298 * 1_100 };
  expect(seen).toMatchObject({
    isWhole: false,
    signed: null,
    figures: { first: 50_000_000, last: (told.at(-1)?.balance ?? 0) * 100, in: 298 * 110_000, withoutTicket: came },
  });
  // Money that went out is read as before, and is in no list of payments.
  const { rows } = await api.pool.query('select state, count(*)::int as n from payment_messages group by 1 order by 1');
  expect(rows).toEqual([
    { state: 'ignored', n: 6 },
    { state: 'parsed', n: 299 },
  ]);
  expect((await admin.get('/api/admin/payments')).headers['x-total-count']).toBe('299');

  // Without a reason for each gap it is refused, and nothing is signed.
  const [one, other] = seen.figures.gaps.map(({ after }: { after: { id: number } }) => after.id);
  const message = 'Dites pourquoi il manque un message.';
  const half = {
    gaps: [
      { lineId: one, reason: 'Téléphone éteint' },
      { lineId: other, reason: ' ' },
    ],
  };
  for (const [reasons, missing] of [
    [undefined, [one, other]],
    [half, [other]],
  ] as const)
    expect(await sign(seen.digest, day, reasons)).toMatchObject({
      status: 400,
      body: { issues: missing.map((id) => ({ path: `reasons.gaps.${id}`, message })) },
    });
  expect((await read()).signed).toBe(null);
  const gaps = [one, other].map((lineId) => ({ lineId, reason: 'Téléphone éteint' }));
  const reasons = { gaps: [...gaps, { lineId: 1, reason: "D'aucune lacune" }] };
  expect((await sign(seen.digest, day, reasons)).body.signed).toMatchObject({
    by: 'Fatou Ouédraogo',
    changed: false,
    reasons: { gaps },
  });
  const head =
    'TRANSFER_DATE;TRANSFER_STATUS;TRANSFER_ID;ORDER_ID;MSISDN;REFERENCE_NUMBER;STATEMENT;TRANSFER_AMOUNT;CREDIT;DEBIT;FEES;PREVIOUS_BAL;AFTER_BAL;REMARKS;FTXN_ID';
  const file = Buffer.from([head, ...told.map(({ row }) => row)].join('\n'));
  const imported = await admin.post(
    '/api/admin/payments/imports',
    statementForm({ accountId: account.id, dryRun: false }, file),
  );
  expect(imported.body).toMatchObject({ faults: [], created: 2 });
  const whole = await read();
  expect(whole).toMatchObject({ isWhole: true, figures: { gaps: [], withoutTicket: { count: 300 } } });
  expect(whole.signed).toMatchObject({ by: 'Fatou Ouédraogo', changed: true, figures: { withoutTicket: came } });
  const lines = await admin.get(`${path}/lines?accountId=${account.id}&day=${day}`);
  expect(lines.headers['x-total-count']).toBe('306');
  expect(lines.body.map(({ reference }: { reference: string }) => reference)).toEqual(
    told.toSorted((a, b) => a.row.slice(0, 19).localeCompare(b.row.slice(0, 19))).map(({ reference }) => reference),
  );
});

test('what was approved, is undecided, ignored, without a request and without a payment stands beside; other days, countries and wallets do not', async () => {
  const { accountId, paymentTypeId } = { accountId: account.id, paymentTypeId: account.paymentTypeId };
  const { user } = await buildCaller(api);
  const { user: abroad } = await buildCaller(api, { phone: '+22890000001', countryCode: '+228' });
  const paidAt = at('10:00:00');
  const ticketOf = async (status: 'approved' | 'pending', fields: object = {}, owner = user.id) => {
    const { id } = await buildTicket(api.db, owner, { status, paymentTypeId, ...fields });
    await api.pool.query('update ticket_events set created_at = $1 where ticket_id = $2', [paidAt, id]);
    return id;
  };
  await buildMatchedLine(api.db, await ticketOf('approved'), { accountId, paidAt });
  await buildMatchedLine(api.db, await ticketOf('pending'), { accountId, paidAt });
  await buildPaymentLine(api.db, { accountId, paidAt, gross: 700 });
  await buildPaymentLine(api.db, { accountId, paidAt, gross: 800, isIgnored: true });
  await buildPaymentLine(api.db, { accountId, paidAt, gross: 900, state: 'failed' });
  await buildPaymentLine(api.db, { accountId, paidAt: at('23:59:59'), gross: 50 });
  await buildPaymentLine(api.db, { accountId, paidAt: new Date('2025-11-25T00:00:00Z'), gross: 60 });
  await buildPaymentLine(api.db, { paidAt, gross: 70 });
  const unpaid = await ticketOf('approved');
  await ticketOf('approved', { amount: 0, commission: 0, totalPrice: '0' });
  await ticketOf('approved', { paymentTypeId: null });
  await ticketOf('approved', {}, abroad.id);
  const later = await ticketOf('approved');
  await api.pool.query("insert into ticket_events (ticket_id, status) values ($1, 'approved')", [later]);
  const { figures, isWhole } = await read();
  expect(isWhole).toBe(false);
  expect(figures).toMatchObject({
    first: null,
    in: (1_100 + 1_100 + 700 + 800 + 50) * 100,
    approved: { count: 1, sum: 1_100 },
    undecided: { count: 1, sum: 1_100 },
    withoutTicket: { count: 2, sum: 750 },
    ignored: { count: 1, sum: 800 },
    withoutPayment: { count: 1, sum: 1_100, ticketIds: [unpaid] },
  });
});

test('a signed day stays as it was when the account of a person whose request it has, or its payment type, is deleted', async () => {
  const { user } = await buildCaller(api);
  const { paymentTypeId } = account;
  const { id: elsewhere } = await buildPaymentAccount(api.db, { paymentTypeId, country: '+228' });
  const { id } = await buildTicket(api.db, user.id, { status: 'approved', paymentTypeId });
  await api.pool.query('update ticket_events set created_at = $1 where ticket_id = $2', [at('10:00:00'), id]);
  const { digest } = await read();
  expect((await sign(digest)).status).toBe(200);
  for (const gone of [`users/${user.id}`, `payment-types/${paymentTypeId}`]) {
    expect((await admin.delete(`/api/admin/${gone}`)).status).toBe(200);
    const { figures, signed } = await read();
    expect(figures.withoutPayment).toEqual({ count: 1, sum: 1_100, ticketIds: [id] });
    expect(signed.changed).toBe(false);
    expect((await read(day, elsewhere)).figures.withoutPayment.count).toBe(0);
  }
});

test("the day is the account's: Benin's is an hour ahead", async () => {
  account = await buildPaymentAccount(api.db, { country: '+229' });
  await buildPaymentLine(api.db, { accountId: account.id, paidAt: new Date('2025-11-23T23:00:00Z'), gross: 10 });
  await buildPaymentLine(api.db, { accountId: account.id, paidAt: at('23:00:00'), gross: 20 });
  expect((await read()).figures.withoutTicket).toEqual({ count: 1, sum: 10 });
});

test('signing takes what was seen, and again another signature; what is others now, a day to come and wrong input are refused', async () => {
  const { digest } = await read();
  await buildPaymentLine(api.db, { accountId: account.id, paidAt: at('10:00:00') });
  expect(await sign(digest)).toMatchObject({ status: 409, body: { code: 'CLOSING_CHANGED' } });
  expect((await read()).signed).toBe(null);
  const { digest: now } = await read();
  expect(await sign(now)).toMatchObject({ status: 200, body: { signed: { changed: false } } });
  const other = (await buildAdmin(api)).client;
  await api.pool.query("update users set first_name = 'Awa' where id = (select max(id) from users where is_admin)");
  expect((await other.post(path, { accountId: account.id, day, digest: now })).status).toBe(200);
  const twice = await read();
  expect(twice.signed).toMatchObject({ by: 'Awa Ouédraogo', changed: false });
  expect(twice.earlier).toMatchObject([{ by: 'Fatou Ouédraogo', figures: twice.figures }]);
  const refused = {
    status: 400,
    body: { code: 'INVALID', issues: expect.arrayContaining([expect.objectContaining({ path: 'day' })]) },
  };
  const today = new Date().toISOString().slice(0, 10);
  const { digest: unfinished } = await read(today);
  const early = { path: 'reasons.unfinished', message: 'Dites pourquoi vous signez avant la fin de la journée.' };
  expect(await sign(unfinished, today)).toMatchObject({ status: 400, body: { issues: [early] } });
  expect(await sign(unfinished, today, { gaps: [], unfinished: 'La boutique ferme' })).toMatchObject({
    status: 200,
    body: { signed: { reasons: { unfinished: 'La boutique ferme' } }, earlier: [] },
  });
  const { digest: future } = await read('2098-01-01');
  expect(await sign(future, '2098-01-01')).toMatchObject(refused);
  for (const wrong of ['2025-02-30', '24/11/2025', '1999-01-01', ''])
    expect(await admin.get(`${path}?accountId=${account.id}&day=${wrong}`)).toMatchObject(refused);
  const missing = { status: 404, body: { code: 'PAYMENT_ACCOUNT_NOT_FOUND' } };
  expect(await admin.get(`${path}?accountId=999999&day=${day}`)).toMatchObject(missing);
  expect(await admin.post(path, { accountId: 999_999, day, digest })).toMatchObject(missing);
});

const download = (from: string, to: string, accountId = account.id) =>
  admin.get(`${path}/export?accountId=${accountId}&from=${from}&to=${to}`);

test('the days of a period with a movement or a signature say how they stand', async () => {
  const lineOf = (of: string, balanceAfter: number) =>
    buildPaymentLine(api.db, { accountId: account.id, paidAt: new Date(`${of}T10:00:00Z`), gross: 10, balanceAfter });
  const signNow = async (of: string) => expect((await sign((await read(of)).digest, of)).status).toBe(200);
  await lineOf('2025-11-20', 100_000);
  await lineOf('2025-11-21', 101_000);
  await lineOf('2025-11-22', 109_000);
  await lineOf('2025-11-23', 110_000);
  for (const signed of ['2025-11-20', '2025-11-23']) await signNow(signed);
  await lineOf('2025-11-23', 111_000);
  await signNow(day);
  const period = `accountId=${account.id}&from=2025-11-01&to=2025-11-30`;
  expect((await admin.get(`${path}/days?${period}`)).body).toEqual([
    { day: '2025-11-20', state: 'signed' },
    { day: '2025-11-21', state: 'open' },
    { day: '2025-11-22', state: 'gap' },
    { day: '2025-11-23', state: 'changed' },
    { day, state: 'signed' },
  ]);
});

test('a period is a sheet with a row for each day with a movement or a signature, in numbers and dates', async () => {
  account = await buildPaymentAccount(api.db, { country: '+229' });
  const { id: accountId, paymentTypeId } = account;
  const { user } = await buildCaller(api, { countryCode: '+229' });
  const ticketOf = async () => (await buildTicket(api.db, user.id, { status: 'approved', paymentTypeId })).id;
  const lineOf = (time: string, gross: number, balanceAfter: number) =>
    buildPaymentLine(api.db, { accountId, paidAt: at(time), gross, balanceAfter });
  await lineOf('09:00:00', 1_000, 1_000_050);
  await lineOf('10:00:00', 700, 1_170_050);
  await buildMatchedLine(api.db, await ticketOf(), { accountId, paidAt: at('11:00:00'), balanceAfter: 1_280_050 });
  // On the clock of Benin it is the 25th.
  await lineOf('23:30:00', 40, 1_284_050);
  const unpaid = await ticketOf();
  await api.pool.query('update ticket_events set created_at = $1 where ticket_id = $2', [at('09:30:00'), unpaid]);
  const signer = await buildAdmin(api);
  await api.pool.query("update users set first_name = '=1+1' where id = $1", [signer.user.id]);
  const body = { accountId, day: '2025-11-23', digest: (await read('2025-11-23')).digest };
  expect((await signer.client.post(path, body)).status).toBe(200);
  await api.pool.query('update payment_closings set signed_at = $1', ['2025-11-24T07:05:09Z']);
  await buildPaymentLine(api.db, { accountId, paidAt: new Date('2025-11-23T08:00:00Z'), gross: 5 });

  const { status, raw, headers } = await download('2025-09-01', '2025-12-01');
  expect({ status, rows: headers['x-total-count'] }).toEqual({ status: 200, rows: '3' });
  const { sheets } = await readXlsx(new Uint8Array(raw), { readStyles: true });
  expect(sheets.map(({ name }) => name)).toEqual(['Clôtures']);
  const [heading = [], ...rows] = sheets[0]?.rows ?? [];
  expect(heading.slice(5, 9)).toEqual(['Sans message', 'Solde de fin', 'Suite entière', 'Lacunes']);
  const [before, then, after] = ['2025-11-23', day, '2025-11-25'].map((each) => new Date(each));
  const signature = ["'=1+1 Ouédraogo", new Date('2025-11-24T08:05:09Z'), 'Oui', ''];
  const name = 'Caisse · 70 00 00 00';
  expect(rows).toEqual([
    [name, before, null, 5, 0, 0, null, null, 0, 0, 0, 1, 5, 0, 0, ...signature],
    [name, then, 9_000.5, 2_800, 0, 1_000, 12_800.5, 'Non', 1, 1, 1_100, 2, 1_700, 1, 1_100, ...Array(4).fill(null)],
    [name, after, 12_800.5, 40, 0, 0, 12_840.5, 'Oui', 0, 0, 0, 1, 40, 0, 0, ...Array(4).fill(null)],
  ]);
  // A day's row adds up, whatever it lacks.
  for (const [, , first, came, out, missing, last] of rows.slice(1) as number[][])
    expect((first ?? 0) + (came ?? 0) - (out ?? 0) + (missing ?? 0)).toBe(last);
  const formatOf = (column: number) => sheets[0]?.cells?.get(`1,${column}`)?.style?.numFmt;
  expect(sheets[0]?.cells?.get('0,0')?.style?.font?.bold).toBe(true);
  expect(sheets[0]?.autoFilter?.range).toBe('A1:S4');
  expect([1, 3, 16].map(formatOf)).toEqual(['dd/mm/yyyy', '#,##0 "FCFA"', 'dd/mm/yyyy hh:mm']);
  const [entry] = (await admin.get('/api/admin/audit?limit=1')).body;
  expect(entry).toMatchObject({ title: 'Clôtures exportées' });
});

test('a second period at a time is to wait', async () => {
  const isWaiting = "datname = current_database() and wait_event_type = 'Lock'";
  const first = await api.db.transaction(async (tx) => {
    await tx.execute('lock table payment_closings');
    const asked = download(day, day);
    await eventually(async () => expect(await countRows(api, 'pg_stat_activity', isWaiting)).toBe(1));
    expect(await download(day, day)).toMatchObject({ status: 503, body: { code: 'EXPORT_BUSY', retryAfter: 30 } });
    return { asked };
  });
  await first.asked;
  expect((await download(day, day)).body.code).toBe('NOTHING_TO_EXPORT');
});

test('a period without anything, of more than 92 days, that ends before it begins, or of no account is refused', async () => {
  expect(await download(day, day)).toMatchObject({
    status: 404,
    body: { code: 'NOTHING_TO_EXPORT', message: 'Aucune journée à exporter.' },
  });
  for (const [from, to, message] of [
    ['2025-09-01', '2025-12-02', '92 jours au plus.'],
    ['2025-11-25', day, 'La fin doit suivre le début.'],
    [day, '2025-11-31', 'Jour attendu au format 2026-11-21.'],
  ] as const)
    expect(await download(from, to)).toMatchObject({
      status: 400,
      body: { code: 'INVALID', issues: [{ path: 'to', message }] },
    });
  const missing = { status: 404, body: { code: 'PAYMENT_ACCOUNT_NOT_FOUND' } };
  expect(await download(day, day, 999_999)).toMatchObject(missing);
  const { client } = await buildCaller(api);
  expect((await client.get(`${path}/export?accountId=${account.id}&from=${day}&to=${day}`)).status).toBe(403);
});
