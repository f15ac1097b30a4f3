import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { statementForm } from '#server/testing/bodies.ts';
import { buildAdmin, buildPaymentType, nextNumber } from '#server/testing/builders.ts';
import { openPaymentBook, type PaymentBook, settled, told } from '#server/testing/payment-book.ts';
import { startTestApi } from '#server/testing/test-api.ts';

let { accountId, tell, stored } = {} as PaymentBook;
const api = await startTestApi({ clock: '2026-11-28T12:00:00Z' });
const { client: admin } = await buildAdmin(api);
beforeEach(async () => {
  ({ accountId, tell, stored } = await openPaymentBook(api, admin));
});

const operators = path.join(import.meta.dirname, 'operators');
const statement = (file: string) => readFileSync(path.join(operators, file));
const send = (file: Buffer, to = accountId, dryRun = false) =>
  admin.post('/api/admin/payments/imports', statementForm({ accountId: to, dryRun }, file));
const sendRows = (rows: string[], dryRun = false) =>
  send(
    Buffer.from(
      ['TRANSFER_DATE;TRANSFER_STATUS;TRANSFER_ID;STATEMENT;CREDIT;DEBIT;FEES;AFTER_BAL', ...rows].join('\n'),
    ),
    accountId,
    dryRun,
  );
const row = (reference: string, { at = '24/11/2026 08:00:00', from = '70111111', credit = 1_050 } = {}) =>
  `${at};TS;${reference};57000000 Money Received from ${from};${credit};;;`;

/** An account of a payment type of this name. */
async function openAccount(name: string, country: string): Promise<number> {
  const { body: type } = await admin.post('/api/admin/payment-types', { name: `${name} ${nextNumber()}` });
  const account = { paymentTypeId: type.id, country, number: '70 00 00 01', label: 'Caisse 2' };
  const { body } = await admin.post('/api/admin/payments/accounts', account);
  return body.id;
}

describe('the form of a statement is its operator’s', () => {
  test('and is read for an account of that wallet in any country', async () => {
    const { body } = await send(statement('wave-sn/statements/anglais.csv'), await openAccount('Wave', '+226'));
    expect(body).toMatchObject({ model: 'wave-ci/export-anglais@1' });
    expect(body.created).toBeGreaterThan(0);
  });

  test('so that an account of another one refuses it, and nothing is written', async () => {
    const account = await openAccount('Moov Money', '+226');
    for (const dryRun of [true, false])
      expect(await send(statement('orange-bf/statements/transferts.csv'), account, dryRun)).toMatchObject({
        status: 422,
        body: {
          code: 'STATEMENT_UNKNOWN',
          message: 'Ce fichier est un relevé Orange Money ; ce compte est Moov Money.',
        },
      });
    expect(await stored()).toEqual([]);
  });

  test('and an account whose payment type is deleted may have any', async () => {
    const { id: paymentTypeId } = await buildPaymentType(api.db, `Moov ${nextNumber()}`);
    await api.pool.query('update payment_accounts set payment_type_id = $1 where id = $2', [paymentTypeId, accountId]);
    const file = statement('orange-bf/statements/transferts.csv');
    expect(await send(file)).toMatchObject({ status: 422 });
    await api.pool.query('delete from payment_types where id = $1', [paymentTypeId]);
    expect(await send(file)).toMatchObject({ status: 200 });
  });
});

describe('a contradicting date', () => {
  const sms = told({ reference: 'PP261103.0800.10000001', paidAt: new Date('2026-11-03T08:00:00Z') });

  test('moves no line: its row is a fault, and a file of such rows is refused', async () => {
    await tell('sms', sms);
    const kept = await stored();
    const swapped = row('PP261103.0800.10000001', { at: '11/03/2026 08:00:00' });
    expect(await sendRows([swapped, row('PP261124.0800.1'), row('PP261124.0800.2')])).toMatchObject({
      status: 200,
      body: {
        created: 2,
        completed: 0,
        faults: [{ row: 2, message: expect.stringContaining('contredit la référence') }],
      },
    });
    expect(await stored()).toEqual(expect.arrayContaining(kept));
    const { body } = await sendRows([swapped]);
    expect(body).toMatchObject({ code: 'STATEMENT_UNKNOWN', message: expect.stringContaining('se contredisent') });
  });

  test('weeks from the message of the same payment is an anomaly, and a late message is corrected', async () => {
    const of = (reference: string, at: string, state: 'announced' | 'settled' = 'announced') =>
      told({ reference, state, paidAt: new Date(at) });
    await tell('sms', of('T_1', '2026-11-03T08:00:00Z'), of('T_2', '2026-11-23T08:00:00Z'));
    await tell('file', of('T_1', '2026-03-11T08:00:00Z', 'settled'), of('T_2', '2026-11-03T08:00:00Z', 'settled'));
    expect(
      (await stored()).map(({ reference, paidAt, anomaly }) => [reference, paidAt.toISOString(), anomaly]),
    ).toEqual([
      ['T_1', '2026-11-03T08:00:00.000Z', 'Deux sources disent des dates éloignées : le 03/11/2026 et le 11/03/2026.'],
      ['T_2', '2026-11-03T08:00:00.000Z', null],
    ]);
  });

  test('of a wallet’s server is told as well, whichever comes first', async () => {
    await tell('file', told({ ...settled, paidAt: new Date('2026-03-11T08:00:00Z') }));
    await tell('sms', told());
    expect(await stored()).toEqual([expect.objectContaining({ anomaly: expect.stringContaining('dates éloignées') })]);
  });
});
