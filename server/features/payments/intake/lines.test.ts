import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import pino from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import type { PaymentInput } from '#contract/payments.ts';
import { backUp } from '#server/features/backup/back-up.ts';
import { cleanUp } from '#server/jobs/clean-up.ts';
import { statementForm } from '#server/testing/bodies.ts';
import { buildAdmin } from '#server/testing/builders.ts';
import {
  later,
  openPaymentBook,
  openSource,
  orangeSms,
  type PaymentBook,
  paidAt,
  settled,
  told,
} from '#server/testing/payment-book.ts';
import { startTestApi } from '#server/testing/test-api.ts';
import { signedByWave, waveEvent } from '#server/testing/wave-event.ts';
import type { ToldLine } from './lines.ts';

let { accountId, tell, stored } = {} as PaymentBook;
const logged: string[] = [];
const api = await startTestApi({
  log: pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) }),
});
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
    ['the statement with a dash in its place', ['sms', told()], ['file', told({ ...settled, reference: '-' })]],
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

  test('a part that is taken back is told, and the payment stands', async () => {
    await tell('file', told(settled), told({ direction: 'reversal', state: 'settled', gross: 400 }));
    expect(await stored()).toContainEqual(
      expect.objectContaining({
        direction: 'in',
        state: 'settled',
        anomaly: "L'opérateur a repris 400 FCFA de ce paiement.",
      }),
    );
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

describe('a file that repeats a reference', () => {
  const line = fc.record({
    reference: fc.constantFrom('A1', 'A2'),
    state: fc.constantFrom('announced', 'failed', 'settled'),
    gross: fc.constantFrom(500, 500, 600),
    payer: fc.constantFrom('+22670111111', '+22670222222', '1111', null),
    paidAt: fc.constantFrom(0, 300, 900, 9_000).map((seconds) => later(seconds)),
    fee: fc.constantFrom(null, 100),
  });
  const input = fc.constantFrom('file' as const, 'sms' as const, 'wave' as const);

  test('is as if each of its rows were told by itself, whatever was told before', async () => {
    const before = fc.array(fc.tuple(input, line), { maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(before, input, fc.array(line, { maxLength: 8 }), async (known, by, file) => {
        const tellKnown = async () => {
          await api.pool.query('delete from payment_lines');
          for (const [each, fields] of known) await tell(each, told(fields));
        };
        await tellKnown();
        const alone = { created: 0, completed: 0, unchanged: 0 };
        for (const fields of file)
          for (const [name, count] of Object.entries(await tell(by, told(fields)))) alone[name as 'created'] += count;
        const wanted = await stored();
        await tellKnown();
        expect([await tell(by, ...file.map((each) => told(each))), await stored()]).toEqual([alone, wanted]);
      }),
      { numRuns: 60 },
    );
  });

  test('a hundred thousand times, each with another time, is written within a minute', {
    timeout: 60_000,
  }, async () => {
    const lines = Array.from({ length: 100_000 }, (_, n) => told({ ...settled, paidAt: later(n) }));
    expect(await tell('file', ...lines)).toEqual({ created: 1, completed: 1, unchanged: 99_998 });
    expect(await stored()).toEqual([expect.objectContaining({ anomaly: expect.stringContaining('à deux heures') })]);
  });
});

const statementHeader =
  'TRANSFER_DATE;TRANSFER_STATUS;TRANSFER_ID;ORDER_ID;MSISDN;REFERENCE_NUMBER;STATEMENT;TRANSFER_AMOUNT;CREDIT;DEBIT;FEES;PREVIOUS_BAL;AFTER_BAL;REMARKS;FTXN_ID';
const sendFile = (text: string, dryRun: boolean) =>
  admin.post('/api/admin/payments/imports', statementForm({ accountId, dryRun }, Buffer.from(text)));
const send = (rows: string[], dryRun: boolean) => sendFile([statementHeader, ...rows].join('\n'), dryRun);

describe('a statement', () => {
  const row = (reference: string, from: string, credit: number, status = 'TS') =>
    `24/11/2026 08:00:00;${status};${reference};;57000000;;57000000 Money Received from ${from};${credit};${credit};;;;;;X`;
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
        from: '2026-11-24T08:00:00.000Z',
        to: '2026-11-24T08:00:00.000Z',
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

  test('of a thousand rows is known to the planner at once, or proposals would take seconds', async () => {
    const many = Array.from({ length: 1_000 }, (_, n) =>
      row(`OM261124.0900.${String(n).padStart(8, '0')}`, '70111111', 500),
    );
    expect((await send(many, false)).body).toMatchObject({ created: 1_000 });
    const { rows: known } = await api.pool.query("select reltuples from pg_class where relname = 'payment_lines'");
    expect(known[0].reltuples).toBeGreaterThanOrEqual(1_000);
  });

  test('that is none is refused, and one with a bad row takes the others', async () => {
    expect(await sendFile('a;b\n1;2', false)).toMatchObject({
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

test('pasted messages are told apart and read without keeping anything; then each is kept as what it is', async () => {
  const text = [
    orangeSms({ payer: '70111111' }),
    'Vous avez recu 500 FCFA de credit de communication du 70000001.',
    'Vous avez recu un transfert de 10000FCFA de N (22901000009) le 2026-11-24 23:30:00. Reference: T123. Nouveau solde: 10482 FCFA. ID de la transaction : 12345678901..',
    'Rendez-vous demain',
  ].join('\n\n');
  const { body } = await admin.post('/api/admin/payments/read', { text, accountId });
  expect(body.messages).toEqual([
    {
      kind: 'payment',
      operator: 'Orange',
      direction: 'in',
      gross: 1_100,
      balanceAfter: 9_427_100,
      reference: 'PP261124.0700.10000001',
      payer: '+22670111111',
      paidAt: '2026-11-24T07:00:00.000Z',
    },
    { kind: 'ignored', why: expect.any(String) },
    // On the clock of the account's country; without an account, of the operator's.
    expect.objectContaining({ kind: 'payment', gross: 10_000, ourReference: 123, paidAt: '2026-11-24T23:30:00.000Z' }),
    { kind: 'unread' },
  ]);
  const { body: anywhere } = await admin.post('/api/admin/payments/read', { text });
  expect(anywhere.messages).toEqual(body.messages.with(2, { ...body.messages[2], paidAt: '2026-11-24T22:30:00.000Z' }));
  const kept = async () => (await api.pool.query('select state, why from payment_messages order by id')).rows;
  expect([await kept(), await stored()]).toEqual([[], []]);
  const counts = { payments: 2, known: 0, ignored: 1, unread: 1 };
  expect((await admin.post('/api/admin/payments/pasted', { text, accountId })).body).toEqual(counts);
  expect((await kept())[1]).toEqual({ state: 'ignored', why: body.messages[1].why });
});

test('no name of a payer is in a backup, the database or the log, and after 30 days nothing of a text', async () => {
  const name = 'ZOUNGRANA Bintou';
  const { path: phone } = await openSource(admin, accountId);
  const { path: wallet, secret } = await openSource(admin, accountId, 'wave');
  const unread = `Message de ${name}, rendez-vous demain`;
  const paid = orangeSms().replace('SANOU AWA', name);
  for (const text of [unread, paid]) await api.client().post(phone, { from: 'OrangeMoney', text });
  await admin.post('/api/admin/payments/pasted', { text: paid.replace('10000001', '10000002'), accountId });
  for (const fields of [
    { merchant_name: name, custom_fields: { name } },
    { id: 'T_2', amount: 5, sender_name: name },
  ])
    expect((await api.app.inject(signedByWave(wallet, secret, waveEvent(fields)))).statusCode).toBe(200);
  const row = `24/11/2026 08:00:00;TS;OM261124.0800.00000001;;57000000;;57000000 Money Received from 70111111 ${name};500;500;;;;;${name};X`;
  expect((await send([row], false)).body).toMatchObject({ created: 1 });
  expect(await stored()).toHaveLength(4);
  const messages = async () => (await admin.get('/api/admin/payments/messages')).body;
  expect(await messages()).toContainEqual(expect.objectContaining({ text: unread }));

  const folder = mkdtempSync(path.join(os.tmpdir(), 'guichet-names-'));
  /** All that leaves the process to last: a backup, each row of each table, and the log. */
  const dump = async (file: string) => {
    await backUp(api.config, { file: path.join(folder, file) });
    const { rows: tables } = await api.pool.query<{ table: string }>(
      `select format('%I.%I', schemaname, tablename) as table from pg_tables where schemaname in ('public', 'graphile_worker')`,
    );
    const rows = tables.map(({ table }) => api.pool.query(`select t::text as row from ${table} t`));
    const texts = (await Promise.all(rows)).flatMap((each) => each.rows.map(({ row }) => row));
    return [gunzipSync(readFileSync(path.join(folder, file))).toString(), ...texts, ...logged].join('\n');
  };
  const told = /zoungrana|bintou|rendez-vous/i;
  expect(logged.join('')).toContain('/api/payment-feed/');
  expect(await dump('before')).not.toMatch(told);
  await api.pool.query("update payment_messages set received_at = now() - interval '29 days'");
  await cleanUp(api);
  expect(await messages()).toContainEqual(expect.objectContaining({ text: unread }));
  await api.pool.query("update payment_messages set received_at = now() - interval '31 days'");
  await cleanUp(api);
  const left = await api.pool.query('select from payment_messages where sealed_text is not null or sender is not null');
  expect([left.rowCount, (await messages()).map(({ text }: { text: null }) => text)]).toEqual([0, [null, null]]);
  expect(await dump('after')).not.toMatch(told);
  rmSync(folder, { recursive: true, force: true });
});
