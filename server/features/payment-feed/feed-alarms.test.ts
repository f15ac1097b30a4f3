import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildAdmin, buildTicket, buildUser } from '#server/testing/builders.ts';
import { openPaymentBook, type PaymentBook, told } from '#server/testing/payment-book.ts';
import { startTestApi, type TestApi, type TestClient } from '#server/testing/test-api.ts';

let api: TestApi;
let admin: TestClient;
let { accountId, tell, stored, alarms } = {} as PaymentBook;
beforeAll(async () => {
  api = await startTestApi();
  admin = (await buildAdmin(api)).client;
});
afterAll(() => api.close());
beforeEach(async () => {
  ({ accountId, tell, stored, alarms } = await openPaymentBook(api, admin));
});

describe('a payment that is taken back', () => {
  const reversal = told({ direction: 'reversal', state: 'settled' });
  test('is reversed, whichever comes first; after an approval an alarm says so, and nothing is decided', async () => {
    await tell('file', reversal);
    await tell('sms', told());
    expect(await stored()).toContainEqual(expect.objectContaining({ direction: 'in', state: 'reversed' }));
    expect(await alarms()).toEqual([]);

    await api.pool.query('delete from payment_lines');
    await tell('sms', told());
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
    await tell('file', reversal);
    expect(await alarms()).toEqual(['payment-reversal']);
    expect((await admin.get(`/api/admin/tickets/${ticket.id}`)).body.status).toBe('approved');
    expect((await admin.get(`/api/admin/payments/tickets/${ticket.id}`)).body.payment.line).toMatchObject({
      state: 'reversed',
      anomaly: "L'opérateur a repris ce paiement.",
    });
    await admin.post(`/api/admin/payments/lines/${rows[0].id}/unmatch`, {});
    expect(await alarms()).toEqual([]);
  });
});

test('alarms tell of a silent phone, of many unread messages and of a balance that does not follow', async () => {
  await api.pool.query(
    `insert into payment_sources (account_id, kind, secret_hash, last_seen_at) values ($1, 'sms', 'x', now() - interval '5 hours')`,
    [accountId],
  );
  await api.pool.query(
    `insert into payment_messages (account_id, source_id, content_hash, state, received_at)
     select $1, (select max(id) from payment_sources), n::text, case when n % 5 = 0 then 'unread' else 'ignored' end, now() - make_interval(mins => 300 + n)
     from generate_series(1, 40) n`,
    [accountId],
  );
  await tell('sms', told({ balanceAfter: 1_000_000, paidAt: new Date(Date.now() - 60_000) }));
  await tell('sms', told({ reference: 'B2', gross: 500, balanceAfter: 1_040_000, paidAt: new Date() }));
  expect(await alarms()).toEqual(['payment-feed', 'payment-balance']);
  await api.pool.query('update payment_sources set last_seen_at = now()');
  await tell(
    'sms',
    told({
      direction: 'out',
      reference: 'B1',
      gross: 100,
      balanceAfter: 990_000,
      paidAt: new Date(Date.now() - 30_000),
    }),
  );
  await api.pool.query("update payment_messages set state = 'ignored'");
  expect(await alarms()).toEqual([]);
});

test('a source stays silent however long it is gone, a webhook too, and not once its account rests', async () => {
  for (const kind of ['sms', 'wave']) await admin.post('/api/admin/payments/sources', { accountId, kind });
  await api.pool.query("update payment_sources set last_seen_at = now() - interval '20 days'");
  await api.pool.query(
    `insert into payment_messages (account_id, source_id, content_hash, state, received_at)
     select $1, (select id from payment_sources where kind = 'sms'), n::text, 'ignored', now() - make_interval(days => 20, mins => n)
     from generate_series(1, 20) n`,
    [accountId],
  );
  const sources = async () =>
    Object.fromEntries(
      (await admin.get('/api/admin/payments/accounts')).body[0].sources.map(
        (each: { kind: string; isSilent: boolean }) => [each.kind, each.isSilent],
      ),
    );
  expect(await sources()).toEqual({ sms: true, wave: false });
  await tell(
    'wave',
    ...Array.from({ length: 20 }, (_, place) =>
      told({ reference: `W${place}`, paidAt: new Date(Date.now() - 20 * 86_400_000 - place * 60_000) }),
    ),
  );
  expect(await sources()).toEqual({ sms: true, wave: true });
  expect(await alarms()).toEqual(['payment-feed']);
  await api.pool.query('update payment_accounts set is_active = false');
  expect(await alarms()).toEqual([]);
});
