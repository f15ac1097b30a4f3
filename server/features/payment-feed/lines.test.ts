import { beforeEach, describe, expect, test } from 'vitest';
import type { PaymentInput } from '#contract/payments.ts';
import { cleanUp } from '#server/jobs/clean-up.ts';
import { buildAdmin } from '#server/testing/builders.ts';
import { later, openPaymentBook, type PaymentBook, paidAt, settled, told } from '#server/testing/payment-book.ts';
import { startTestApi } from '#server/testing/test-api.ts';
import type { ToldLine } from './lines.ts';

let { accountId, tell, stored } = {} as PaymentBook;
const api = await startTestApi();
const { client: admin } = await buildAdmin(api);
beforeEach(async () => {
  ({ accountId, tell, stored } = await openPaymentBook(api, admin));
});

const nameless = { reference: null };

describe('two inputs of one payment are one line, whichever comes first', () => {
  const ways: [string, [PaymentInput, ToldLine], [PaymentInput, ToldLine]][] = [
    [
      'both with the reference, however it is written',
      ['sms', told()],
      ['file', told({ ...settled, reference: 'pp2611240800-10000001' })],
    ],
    ['the SMS without it', ['sms', told(nameless)], ['file', told(settled)]],
    ['the statement without it', ['sms', told()], ['file', told({ ...settled, ...nameless })]],
  ];
  test.each(ways)('%s', async (_, first, second) => {
    const orders = [
      [first, second],
      [second, first],
      [first, second, first, second],
      [second, second, first, first],
    ];
    for (const order of orders) {
      await api.pool.query('delete from payment_lines');
      for (const [input, line] of order) await tell(input, line);
      expect(await stored()).toEqual([
        expect.objectContaining({
          state: 'settled',
          fee: 1_000,
          seenIn: 1 + 8,
          anomaly: null,
          reference: expect.stringContaining('10000001'),
        }),
      ]);
    }
  });

  test('two real payments of one minute, number and amount stay two', async () => {
    const equals = [told(nameless), told({ ...nameless, paidAt: later(20) })];
    await tell('file', ...equals);
    expect(await tell('file', ...equals)).toEqual({ created: 0, completed: 0, unchanged: 2 });
    expect(await stored()).toHaveLength(2);
    const named = [told({ reference: 'A1' }), told({ reference: 'A2', paidAt: later(20) })];
    await tell('sms', ...named);
    expect(await stored()).toEqual([
      expect.objectContaining({ reference: 'A1', seenIn: 9 }),
      expect.objectContaining({ reference: 'A2', seenIn: 9 }),
    ]);
  });

  test('a payment whose SMS was lost does not make two of the later ones', async () => {
    await tell('sms', told({ ...nameless, paidAt: later(3 * 3_600) }), told({ ...nameless, paidAt: later(5 * 3_600) }));
    const rows = [0, 3, 5].map((hours) =>
      told({ ...settled, reference: `A${hours}`, paidAt: later(hours * 3_600 + 60) }),
    );
    expect(await tell('file', ...rows)).toEqual({ created: 1, completed: 2, unchanged: 0 });
    expect((await stored()).map(({ reference, seenIn }) => [reference, seenIn])).toEqual([
      ['A0', 8],
      ['A3', 9],
      ['A5', 9],
    ]);
  });

  test('a row that failed is not the payment that an SMS tells; a reference that stands twice names one line', async () => {
    await tell('sms', told({ ...nameless, paidAt: later(120) }), told({ ...nameless, paidAt: later(150) }));
    await tell(
      'file',
      told({ state: 'failed', reference: 'F1' }),
      told({ ...settled, reference: 'S1', paidAt: later(120) }),
      told({ ...settled, reference: 'S1', paidAt: later(121) }),
    );
    expect((await stored()).map(({ reference, state, seenIn }) => [reference, state, seenIn])).toEqual([
      ['F1', 'failed', 8],
      ['S1', 'settled', 9],
      [null, 'announced', 1],
    ]);
  });

  test('one reference at two times of the operator’s own is an anomaly, in one statement and in two, and a few minutes are none', async () => {
    const again = told({ ...settled, paidAt: later(3 * 3_600) });
    const isOdd = expect.objectContaining({ gross: 1_050, anomaly: expect.stringContaining('à deux heures') });
    await tell('file', told(settled), told({ ...settled, paidAt: later(300) }));
    expect(await stored()).toEqual([expect.objectContaining({ anomaly: null })]);
    await tell('file', again);
    expect(await stored()).toEqual([isOdd]);
    await api.pool.query('delete from payment_lines');
    await tell('file', told(settled), again);
    expect(await stored()).toEqual([isOdd]);
    expect(await tell('file', told(settled), again)).toMatchObject({ created: 0, completed: 0 });
  });

  test('another amount under one reference is told and never written over; a state only advances', async () => {
    await tell('file', told(settled));
    await tell('sms', told({ gross: 9_999 }));
    expect(await stored()).toEqual([
      expect.objectContaining({ gross: 1_050, state: 'settled', anomaly: expect.stringContaining('1050 et 9999') }),
    ]);
  });

  test('another payer under one reference is told; the last digits of a number are no other payer', async () => {
    await tell('file', told(settled));
    await tell('sms', told({ payer: '1111' }));
    expect(await stored()).toEqual([expect.objectContaining({ payer: '+22670111111', anomaly: null })]);
    await tell('sms', told({ payer: '+22670222222' }));
    await tell('sms', told({ payer: '+22670222222' }));
    expect(await stored()).toEqual([
      expect.objectContaining({ payer: '+22670111111', anomaly: 'Deux sources disent des payeurs différents.' }),
    ]);
  });
});

describe('a statement', () => {
  const row = (reference: string, from: string, credit: number, status = 'TS') =>
    `24/11/2026 08:00:00;${status};${reference};;57000000;;57000000 Money Received from ${from};${credit};${credit};;;;;;X`;
  const header =
    'TRANSFER_DATE;TRANSFER_STATUS;TRANSFER_ID;ORDER_ID;MSISDN;REFERENCE_NUMBER;STATEMENT;TRANSFER_AMOUNT;CREDIT;DEBIT;FEES;PREVIOUS_BAL;AFTER_BAL;REMARKS;FTXN_ID';
  const send = (rows: string[], dryRun: boolean) => {
    const form = new FormData();
    form.append('accountId', String(accountId));
    form.append('dryRun', String(dryRun));
    form.append('file', new Blob([[header, ...rows].join('\n')]), 'releve.csv');
    return admin.post('/api/admin/payments/imports', form);
  };
  const rows = [
    row('OM261124.0800.00000001', '70111111', 1_050),
    row('OM261124.0800.00000002', '70111112', 500),
    row('OM261124.0800.00000003', '70111113', 700, 'TF'),
  ];

  test('is read dry first, then written; the same file again, and an overlapping one, change nothing twice', async () => {
    const dry = await send(rows, true);
    expect(dry).toMatchObject({
      status: 200,
      body: {
        model: 'orange-bf/transferts@1',
        rows: 3,
        payments: 2,
        created: 3,
        unchanged: 0,
        written: false,
        faults: [],
      },
    });
    expect(dry.body.first[0]).toMatchObject({
      gross: 1_050,
      payer: '+22670111111',
      reference: 'OM261124.0800.00000001',
    });
    expect(await stored()).toEqual([]);
    expect((await send(rows, false)).body).toMatchObject({ created: 3, written: true });
    expect((await send(rows, false)).body).toMatchObject({ created: 0, unchanged: 3, written: false });
    const overlapping = [...rows.slice(1), row('OM261124.0800.00000004', '70111114', 800)];
    expect((await send(overlapping, false)).body).toMatchObject({ created: 1, completed: 0, unchanged: 2 });
    expect(await stored()).toHaveLength(4);
    expect(await stored()).toContainEqual(expect.objectContaining({ gross: 700, state: 'failed' }));
    const { rows: logged } = await api.pool.query(
      "select details from audit_log where action like 'POST /api/admin/payments/imports%' order by id",
    );
    expect(logged.at(-1).details).toMatchObject({ created: 1 });
  });

  test('that is none is refused, and one with a bad row takes the others', async () => {
    const form = new FormData();
    form.append('accountId', String(accountId));
    form.append('dryRun', 'false');
    form.append('file', new Blob(['a;b\n1;2']), 'x.csv');
    expect(await admin.post('/api/admin/payments/imports', form)).toMatchObject({
      status: 422,
      body: { code: 'STATEMENT_UNKNOWN' },
    });
    const bad = row('OM261124.0800.00000009', '70111111', 500).replace('24/11/2026', '99/99/2026');
    const { body } = await send([bad, ...rows], false);
    expect(body).toMatchObject({ created: 3, faults: [{ row: 2, message: expect.any(String) }] });
  });
});

test('a pasted message without reference and time is a person’s to note with its time, once, and copies are told apart', async () => {
  const { body: types } = await admin.get('/api/payment-types');
  const ivorian = { paymentTypeId: types[0].id, country: '+225', number: '07 00 00 00 00', label: 'Abidjan' };
  const { body: account } = await admin.post('/api/admin/payments/accounts', ivorian);
  const text = 'Bonjour, vous avez recu un transfert de 450.00 FCFA du 0709000051.';
  const paste = async (pasted: string) =>
    (await admin.post('/api/admin/payments/pasted', { text: pasted, accountId: account.id })).body;
  expect(await paste(`${text}\n\n${text}`)).toEqual({ payments: 0, known: 0, ignored: 0, unread: 2 });
  expect(await paste(text)).toEqual({ payments: 0, known: 1, ignored: 0, unread: 0 });
  const { body: unread } = await admin.get('/api/admin/payments/messages');
  expect(unread[0].why).toContain('ni référence ni heure');
  const read = { accountId: account.id, gross: 450, payer: '0709000051', reference: '', paidAt: paidAt.toISOString() };
  const record = async (nth: number) =>
    (await admin.post(`/api/admin/payments/messages/${unread[nth].id}/payment`, read)).body.message;
  expect([await record(0), await record(1)]).toEqual(['Paiement noté', 'Ce paiement était déjà là']);
  expect(await stored()).toHaveLength(1);
});

test('a message that no job reads is given to a person', async () => {
  await api.pool.query(
    `insert into payment_messages (account_id, content_hash, received_at)
     values ($1, 'old', now() - interval '13 hours'), ($1, 'new', now() - interval '1 hour')`,
    [accountId],
  );
  await cleanUp(api);
  const { rows } = await api.pool.query('select content_hash, state from payment_messages order by 1');
  expect(rows).toEqual([
    { content_hash: 'new', state: 'waiting' },
    { content_hash: 'old', state: 'unread' },
  ]);
});

test('after the purge nothing of a text or a name is anywhere in the database', async () => {
  const { body: source } = await admin.post('/api/admin/payments/sources', { accountId, kind: 'sms' });
  const text = 'Message de ZOUNGRANA Bintou, rendez-vous demain';
  const { pathname } = new URL(source.address);
  await api.client().post(pathname, { from: 'OrangeMoney', text });
  const dump = async () => {
    const { rows: tables } = await api.pool.query(
      "select tablename from pg_tables where schemaname in ('public', 'graphile_worker')",
    );
    const parts = await Promise.all(
      tables.map(async ({ tablename }) => {
        const { rows } = await api.pool.query(`select t::text as row from ${tablename} t`).catch(() => ({ rows: [] }));
        return rows.map(({ row }) => row).join('\n');
      }),
    );
    return parts.join('\n');
  };
  expect(await dump()).not.toMatch(/ZOUNGRANA|rendez-vous/);
  await api.runJobs();
  expect((await admin.get('/api/admin/payments/messages')).body[0].text).toBe(text);
  await api.pool.query("update payment_messages set received_at = now() - interval '31 days'");
  await cleanUp(api);
  expect((await admin.get('/api/admin/payments/messages')).body).toEqual([
    expect.objectContaining({ text: null, sender: null }),
  ]);
  expect((await api.pool.query('select sealed_text from payment_messages')).rows).toEqual([{ sealed_text: null }]);
  expect(await dump()).not.toMatch(/ZOUNGRANA|rendez-vous/);
});
