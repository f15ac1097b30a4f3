import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildAdmin, buildPaymentAccount, buildTicket, buildUser } from '#server/testing/builders.ts';
import { startTestApi, type TestApi } from '#server/testing/test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());
/** Proposals are made of all that is unpaid. */
beforeEach(() => api.pool.query('truncate tickets, payment_lines cascade'));

test('an answer holds fifty of a kind, a payment with all of its candidates, and who declared after those is not hidden', async () => {
  const { client: admin } = await buildAdmin(api);
  const { id: accountId } = await buildPaymentAccount(api.db);
  const proposals = async () => (await admin.get('/api/admin/payments/proposals')).body;
  const { id: userId } = await buildUser(api.db);
  const filed = new Date(Date.now() - 20 * 60_000);
  const ids: number[] = [];
  for (let nth = 0; nth < 62; nth += 1) {
    const at = new Date(filed.getTime() + nth);
    const declared = { paymentReference: `PP261124.0700.2${1_000 + nth}`, paymentDeclaredAt: at };
    ids.push((await buildTicket(api.db, userId, { createdAt: at, ...declared })).id);
  }
  // Sixty are paid by their references, and twelve more payments have their amount alone.
  await api.pool.query(
    `insert into payment_lines (account_id, line_key, direction, state, gross, reference, plain_reference, paid_at, seen_in)
     select $1, n::text, 'in', 'settled', 1100, case when n <= 60 then 'PP26112407002' || 999 + n end,
       case when n <= 60 then 'PP26112407002' || 999 + n end, now() - interval '19 minutes', 8 from generate_series(1, 72) n`,
    [accountId],
  );
  const { sure, doubtful, withoutTicket, withoutPayment } = await proposals();
  expect([sure.length, withoutTicket.length, withoutPayment.length]).toEqual([50, 0, 0]);
  const candidates = Map.groupBy(doubtful, ({ line }: { line: { id: number } }) => line.id);
  expect([...candidates.values()].map((each) => each.length)).toEqual(Array(12).fill(2));
  await api.pool.query('delete from payment_lines where reference is null');
  const rest = await proposals();
  expect(rest.withoutPayment.map(({ id }: { id: number }) => id)).toEqual(ids.slice(60));
  // Eleven payments with five candidates each are more than fifty pairs: ten are whole.
  await api.pool.query('delete from payment_lines where id not in (select id from payment_lines order by id limit 30)');
  await api.pool.query(
    `update payment_lines set plain_reference = null, paid_at = (select created_at from tickets where id = $1)
     where id in (select id from payment_lines order by id limit 11)`,
    [ids[5]],
  );
  const { doubtful: many } = await proposals();
  const whole = [...Map.groupBy(many, ({ line }: { line: { id: number } }) => line.id).values()];
  expect(new Set(whole.map((each) => each.length))).toEqual(new Set([5]));
  expect(whole).toHaveLength(10);
});

test('a settled payment of hours ago is ticked, however many doubtful and nameless ones came after it', async () => {
  const { client: admin } = await buildAdmin(api);
  const { id: accountId } = await buildPaymentAccount(api.db);
  const { id: userId, phone } = await buildUser(api.db);
  const at = new Date(Date.now() - 5 * 3_600_000);
  const { id: paidId } = await buildTicket(api.db, userId, { createdAt: at });
  // Each of a hundred is declared with a reference that another number paid, and a hundred have nothing to say.
  for (let nth = 0; nth < 100; nth += 1) {
    const { id } = await buildUser(api.db);
    const declared = { paymentReference: `PP261124.0900.3${1_000 + nth}`, paymentDeclaredAt: new Date() };
    await buildTicket(api.db, id, declared);
  }
  await api.pool.query(
    `insert into payment_lines (account_id, line_key, direction, state, gross, reference, plain_reference, payer, paid_at, seen_in)
     select $1::int, 'weak' || n, 'in', 'settled', 1100, 'PP26112409003' || 999 + n, 'PP26112409003' || 999 + n, '+22501020304' || (n % 10), now(), 8
       from generate_series(1, 100) n
     union all select $1::int, 'bare' || n, 'in', 'settled', 90000 + n, null, null, null, now(), 8 from generate_series(1, 100) n
     union all select $1::int, 'paid', 'in', 'settled', 1100, null, null, $2, $3::timestamptz + interval '1 minute', 8`,
    [accountId, phone, at],
  );
  const { sure } = (await admin.get('/api/admin/payments/proposals')).body;
  expect(sure).toMatchObject([{ ticket: { id: paidId }, rule: 'R2', preTicked: true }]);
});
