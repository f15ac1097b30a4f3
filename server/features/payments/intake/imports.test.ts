import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { statementForm } from '#server/testing/bodies.ts';
import {
  buildAdmin,
  buildCaller,
  buildPaymentType,
  buildTicket,
  buildUser,
  nextNumber,
} from '#server/testing/builders.ts';
import { setClock } from '#server/testing/database-clock.ts';
import { later, openPaymentBook, type PaymentBook, settled, told } from '#server/testing/payment-book.ts';
import { startTestApi } from '#server/testing/test-api.ts';
import { untilBlocked } from '#server/testing/until-blocked.ts';
import { whileHeld } from '#server/testing/while-locked.ts';
import { recordLines, type ToldLine } from './lines.ts';
import { insertImport } from './store.ts';
import { undoImport } from './undo-import.ts';

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
const header = 'TRANSFER_DATE;TRANSFER_STATUS;TRANSFER_ID;STATEMENT;CREDIT;DEBIT;FEES;AFTER_BAL';
const sendRows = (rows: string[], dryRun = false) => send(Buffer.from([header, ...rows].join('\n')), accountId, dryRun);
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
    await send(file);
    expect(await stored()).toEqual([]);
    await api.pool.query('delete from payment_types where id = $1', [paymentTypeId]);
    const { body } = await send(file);
    expect(await stored()).toHaveLength(body.created);
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

/** Every line, by all that inputs write of it. */
const lines = async () =>
  (
    await api.pool.query(
      `select line_key, nameless_key, direction, state, gross, fee::int, balance_after::int, reference, plain_reference,
         our_reference, payer, paid_at, seen_in, is_trusted, is_ignored, is_matched, anomaly, import_id, before_import
       from payment_lines order by line_key`,
    )
  ).rows;
const list = async () => (await admin.get(`/api/admin/payments/imports?account=${accountId}`)).body;
const undo = (id: number) => admin.delete(`/api/admin/payments/imports/${id}`);

describe('an import', () => {
  const sms = [told(), told({ reference: null, payer: '+22670222222', gross: 700 })];
  const rows = [
    row('PP261124.0800.10000001'),
    row('OM261124.0800.2', { from: '70222222', credit: 700 }),
    row('OM261124.0800.3', { credit: 300 }),
  ];

  test('is listed by its file, and undone whole: what it added goes, what it completed is as before', async () => {
    await tell('sms', ...sms);
    const before = await lines();
    const form = statementForm({ accountId, dryRun: false }, Buffer.from([header, ...rows].join('\n')));
    const file = form.get('file') as File;
    form.set('file', file, 'relevé de novembre.csv');
    expect(await admin.post('/api/admin/payments/imports', form)).toMatchObject({ body: { created: 1, completed: 2 } });
    expect(await list()).toEqual([
      {
        id: expect.any(Number),
        accountId,
        fileName: 'relevé de novembre.csv',
        model: 'orange-bf/transferts@1',
        wallet: 'Orange Money',
        created: 1,
        completed: 2,
        by: 'Fatou Ouédraogo',
        createdAt: expect.stringMatching(/^2026-11-28T1/),
      },
    ]);
    const [{ id }] = await list();
    expect(await undo(id)).toMatchObject({ status: 200, body: { deleted: 1, restored: 2 } });
    expect(await lines()).toEqual(before);
    expect(await list()).toEqual([]);
    expect(await undo(id)).toMatchObject({ status: 404 });
    const { rows: logged } = await api.pool.query(
      'select action, target, details from audit_log order by id desc limit 1',
    );
    expect(logged).toEqual([
      {
        action: 'DELETE /api/admin/payments/imports/:id',
        target: String(accountId),
        details: { before: { fileName: 'relevé de novembre.csv' }, deleted: 1, restored: 2 },
      },
    ]);
    // The same file again is a new import.
    expect((await sendRows(rows)).body).toMatchObject({ created: 1, completed: 2 });
  });

  test('that changed nothing, or was only tried, is not listed', async () => {
    await sendRows(rows, true);
    expect(await list()).toEqual([]);
    await sendRows(rows);
    await sendRows(rows);
    expect(await list()).toHaveLength(1);
  });

  test('whose writing takes too long is given up, before the call is, and nothing stays', async () => {
    const write = (until: number) =>
      api.db.transaction(async (tx) => {
        const id = await insertImport(tx, { accountId, fileName: 'a', model: 'm', operator: 'o' });
        return recordLines(tx, accountId, 'file', [settledLine(told())], { id, over: new Set(), until });
      });
    await expect(write(performance.now() - 1)).rejects.toMatchObject({ code: 'BUSY' });
    expect([await lines(), await list()]).toEqual([[], []]);
    expect(await write(performance.now() + 60_000)).toMatchObject({ created: 1 });
  });

  test('is not undone while one of its payments is paired with a ticket since', async () => {
    await tell('sms', ...sms);
    const { user, client } = await buildCaller(api);
    const pair = async (reference: string) => {
      const { rows: found } = await api.pool.query('select id, gross from payment_lines where reference = $1', [
        reference,
      ]);
      const ticket = await buildTicket(api.db, user.id, {
        amount: found[0].gross,
        commission: 0,
        totalPrice: String(found[0].gross),
      });
      expect(await admin.post(`/api/admin/payments/lines/${found[0].id}/match`, { ticketId: ticket.id })).toMatchObject(
        {
          status: 200,
        },
      );
      return { line: found[0].id, ticket: ticket.id };
    };
    // What an SMS has proved already does not hinder.
    await pair('PP261124.0800.10000001');
    await setClock(api.pool, '2026-11-28T13:00:00Z');
    await sendRows(rows);
    const [{ id }] = await list();
    const { line, ticket } = await pair('OM261124.0800.3');
    const kept = await lines();
    expect(await undo(id)).toMatchObject({
      status: 409,
      body: {
        code: 'PAYMENT_TAKEN',
        message: `Un paiement de ce relevé est relié au ticket n° ${ticket}. Retirez-le d'abord, dans « Tous les paiements ».`,
      },
    });
    expect(await lines()).toEqual(kept);
    await admin.post(`/api/admin/payments/lines/${line}/unmatch`);
    expect(await undo(id)).toMatchObject({ status: 200 });
    expect((await lines()).map(({ reference, state, is_matched }) => [reference, state, is_matched])).toEqual([
      [null, 'announced', false],
      ['PP261124.0800.10000001', 'announced', true],
    ]);
    expect(await client.delete(`/api/admin/payments/imports/${id}`)).toMatchObject({ status: 403 });
  });

  test('is undone after a later one that tells of the same lines', async () => {
    await sendRows(rows);
    const between = await lines();
    await sendRows([...rows.slice(2), row('OM261124.0800.4')]);
    const [later, earlier] = await list();
    expect(await undo(earlier.id)).toMatchObject({
      status: 409,
      body: {
        message:
          "Un relevé importé depuis, « releve.csv » du 28/11/2026, a des lignes de celui-ci. Annulez-le d'abord.",
      },
    });
    expect(await undo(later.id)).toMatchObject({ body: { deleted: 1, restored: 0 } });
    expect(await lines()).toEqual(between);
    expect(await undo(earlier.id)).toMatchObject({ body: { deleted: 3, restored: 0 } });
    expect(await lines()).toEqual([]);
  });

  test('waits for a pair that is being made, and is then refused', async () => {
    await sendRows(rows);
    const [{ id }] = await list();
    const { id: ticketId } = await buildTicket(api.db, (await buildUser(api.db)).id, {
      amount: 300,
      commission: 0,
      totalPrice: '300',
    });
    const { rows: found } = await api.pool.query('select id from payment_lines where gross = 300');
    let undoing: ReturnType<typeof undo> | undefined;
    await whileHeld(api.pool, `select from payment_lines where id = ${found[0].id} for update`, async (holder) => {
      undoing = undo(id);
      await untilBlocked(api.pool, holder);
      const match = [found[0].id, ticketId];
      await holder.query(
        "insert into payment_matches (line_id, ticket_id, rule, evidence) values ($1, $2, 'person', '[]')",
        match,
      );
      await holder.query('commit');
    });
    expect(await undoing).toMatchObject({ status: 409 });
    expect(await lines()).toHaveLength(3);
  });
});

/** What inputs tell of four payments, of which the statement may say anything. */
function arbitraryTelling() {
  const payments = [0, 1, 2, 3].map((place) => ({
    direction: 'in' as const,
    gross: 500 + 100 * (place % 2),
    payer: '+22670111111',
    reference: `OM261124.0800.${place}`,
    paidAt: later(place * 120),
  }));
  const reversals = payments.slice(0, 2).map((payment) => ({ ...payment, direction: 'reversal' as const }));
  const balanceAfter = fc.constantFrom(null, 100);
  const line = fc
    .tuple(fc.constantFrom(...payments, ...reversals), balanceAfter)
    .map(([payment, balance]) => told({ ...payment, balanceAfter: balance, senderMay: false }));
  const nameless = line.map((each) => (each.direction === 'in' ? { ...each, reference: null } : each));
  const wrong = fc.record({
    gross: fc.constantFrom(500, 600, 700),
    payer: fc.constantFrom('+22670111111', '+22670222222', '1111', null),
    paidAt: fc.constantFrom(0, 120, 300, 9_000_000).map((seconds) => later(seconds)),
    fee: fc.constantFrom(null, 100),
    senderMay: fc.constant(true),
  });
  const ofFile = (lines: typeof line) =>
    fc.array(
      fc.tuple(lines, wrong).map(([each, fields]) => settledLine({ ...each, ...fields })),
      { maxLength: 4 },
    );
  const input = fc.constantFrom('sms' as const, 'paste' as const, 'wave' as const);
  const tellingOf = (lines: fc.Arbitrary<ToldLine>) =>
    fc.array(fc.tuple(input, fc.array(lines, { maxLength: 2 })), { maxLength: 3 });
  const any = fc.oneof(line, nameless);
  // Which line is meant where no reference says it is decided by what stands beside it then.
  return fc.oneof(
    fc.tuple(tellingOf(line), ofFile(line), tellingOf(line)),
    fc.tuple(tellingOf(any), ofFile(any), fc.constant([])),
  );
}
const settledLine = (line: ToldLine): ToldLine => ({ ...line, state: 'settled' });

test('undone, an import leaves what stands without it, whatever was told before and is told after', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryTelling(), async ([before, file, after]) => {
      const tellAll = async (all: readonly (typeof before)[number][]) => {
        for (const [input, each] of all) await tell(input, ...(input === 'wave' ? each.map(settledLine) : each));
      };
      await api.pool.query('delete from payment_lines');
      await tellAll(before);
      await tellAll(after);
      const without = await lines();
      await api.pool.query('delete from payment_lines');
      await tellAll(before);
      const id = await insertImport(api.db, { accountId, fileName: 'a', model: 'm', operator: 'o' });
      await api.db.transaction((tx) =>
        recordLines(tx, accountId, 'file', file, { id, over: new Set(), until: Number.POSITIVE_INFINITY }),
      );
      await tellAll(after);
      await api.db.transaction((tx) => undoImport(tx, id));
      expect(await lines()).toEqual(without);
    }),
    { numRuns: 25 },
  );
});
