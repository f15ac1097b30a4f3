import { beforeEach, expect, test } from 'vitest';
import { buildAdmin, buildPaymentSource, buildTicket, buildUser } from '#server/testing/builders.ts';
import { openPaymentBook, type PaymentBook, told } from '#server/testing/payment-book.ts';
import { startTestApi } from '#server/testing/test-api.ts';

let { accountId, tell, stored, alarms } = {} as PaymentBook;
const api = await startTestApi();
const { client: admin } = await buildAdmin(api);
beforeEach(async () => {
  ({ accountId, tell, stored, alarms } = await openPaymentBook(api, admin));
});

const reversal = told({ direction: 'reversal', state: 'settled' });
test('a payment that is taken back is reversed, whichever comes first', async () => {
  await tell('file', reversal);
  await tell('sms', told());
  expect(await stored()).toContainEqual(expect.objectContaining({ direction: 'in', state: 'reversed' }));
  expect(await alarms()).toEqual([]);
});

test.each([
  ['is', 1_050, { state: 'reversed', anomaly: "L'opérateur a repris ce paiement." }],
  ['is in part', 400, { state: 'settled', anomaly: "L'opérateur a repris 400 FCFA de ce paiement." }],
])(
  'where a payment %s taken back after an approval an alarm says so, and nothing is decided',
  async (_, gross, line) => {
    await tell('file', told({ state: 'settled' }));
    const { rows } = await api.pool.query('select id from payment_lines');
    const ticket = await buildTicket(api.db, (await buildUser(api.db)).id, {
      amount: 1_050,
      commission: 0,
      totalPrice: '1050',
    });
    const approved = await admin.post('/api/admin/payments/approvals', {
      pairs: [{ lineId: rows[0].id, ticketId: ticket.id }],
    });
    expect(approved.body.results).toEqual([expect.objectContaining({ outcome: 'approved' })]);
    await tell('file', { ...reversal, gross });
    expect(await alarms()).toEqual(['payment-reversal']);
    expect((await admin.get(`/api/admin/tickets/${ticket.id}`)).body.status).toBe('approved');
    expect((await admin.get(`/api/admin/payments/tickets/${ticket.id}`)).body.payment.line).toMatchObject(line);
    await admin.post(`/api/admin/payments/lines/${rows[0].id}/unmatch`, {});
    expect(await alarms()).toEqual([]);
  },
);

test("a source is silent by the database's clock, in the list of accounts as in the alarm", async () => {
  const past = await startTestApi({ clock: '2020-01-02T12:00:00Z' });
  const { client } = await buildAdmin(past);
  const book = await openPaymentBook(past, client);
  const lastSeenAt = new Date('2020-01-01T13:00:00Z');
  await buildPaymentSource(past.db, { accountId: book.accountId, lastSeenAt });
  const isSilent = async () => (await client.get('/api/admin/payments/accounts')).body[0].sources[0].isSilent;
  expect([await isSilent(), await book.alarms()]).toEqual([false, []]);
});

test('an alarm tells of a source that is refused, and not of one whose messages are taken', async () => {
  const { id } = await buildPaymentSource(api.db, { accountId });
  const inTrouble = (trouble: string) =>
    api.pool.query('update payment_sources set trouble = $2, trouble_at = now() where id = $1', [id, trouble]);
  await inTrouble('clock');
  expect(await alarms()).toEqual([]);
  await inTrouble('signature');
  expect(await alarms()).toEqual(['payment-feed']);
  await inTrouble('clock');
  await api.pool.query("update payment_sources set kind = 'wave'");
  expect(await alarms()).toEqual(['payment-feed']);
  await api.pool.query('update payment_accounts set is_active = false');
  expect(await alarms()).toEqual([]);
});

test('alarms tell of a source that is silent for a day, of many unread messages and of a balance that does not follow', async () => {
  const heardOf = (ago: string) =>
    api.pool.query('update payment_sources set last_seen_at = now() - $1::interval', [ago]);
  const isSilent = async () => (await admin.get('/api/admin/payments/accounts')).body[0].sources[0].isSilent;
  await buildPaymentSource(api.db, { accountId });
  expect([await isSilent(), await alarms()]).toEqual([false, []]);
  await heardOf('25 hours');
  expect([await isSilent(), await alarms()]).toEqual([true, ['payment-feed']]);
  await heardOf('23 hours');
  // A tenth is not more than a tenth.
  await api.pool.query(
    `insert into payment_messages (account_id, content_hash, state)
     select $1, n::text, case when n % 10 = 0 then 'unread' else 'ignored' end from generate_series(1, 40) n`,
    [accountId],
  );
  expect([await isSilent(), await alarms()]).toEqual([false, []]);
  await api.pool.query("update payment_messages set state = 'unread' where content_hash = '1'");
  expect(await alarms()).toEqual(['payment-feed']);
  await tell('sms', told({ balanceAfter: 1_000_000, paidAt: new Date(Date.now() - 60_000) }));
  await tell('sms', told({ reference: 'B2', gross: 500, balanceAfter: 1_040_000, paidAt: new Date() }));
  expect(await alarms()).toEqual(['payment-feed', 'payment-balance']);
  await heardOf('25 hours');
  await api.pool.query('update payment_accounts set is_active = false');
  expect(await alarms()).toEqual([]);
  await api.pool.query('update payment_accounts set is_active = true');
  await heardOf('23 hours');
  const between = { reference: 'B1', gross: 100, balanceAfter: 990_000, paidAt: new Date(Date.now() - 30_000) };
  await tell('sms', told({ direction: 'out', ...between }));
  await api.pool.query("update payment_messages set state = 'ignored'");
  expect(await alarms()).toEqual([]);
  // A wallet may take its fee from what comes in.
  await tell('sms', told({ reference: 'B3', gross: 500, fee: 1_000, balanceAfter: 1_089_000, paidAt: new Date() }));
  expect(await alarms()).toEqual([]);
});
