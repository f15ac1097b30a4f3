import { beforeEach, expect, test } from 'vitest';
import { decisionsMeasured, decisionsMeasuredAtLeast } from '#contract/tickets.ts';
import { buildAdmin, buildTicket, buildUser } from '#server/testing/builders.ts';
import { startTestApi } from '#server/testing/test-api.ts';

const api = await startTestApi();
const userId = (await buildUser(api.db)).id;

/** As a stranger reads it. */
async function read(): Promise<number | null> {
  const { status, body } = await api.client().get('/api/decision-time');
  expect(status).toBe(200);
  return body.seconds;
}

/** Tickets that were filed so many days ago, and decided so many seconds after. */
async function decided(seconds: number[], { daysAgo = 1 } = {}): Promise<void> {
  await api.pool.query(
    `with filed as (
       insert into tickets (user_id, status, payment_type_name, amount, commission, total_price, service_path,
                            beneficiary_phone_number, fingerprint, created_at)
       select $1, 'approved', 'Wave', 1, 0, '1', '[{"id":1,"name":"Envoi","price":null,"level":1}]', '+22670123456', n::text,
              now() - make_interval(days => $3) + make_interval(secs => n / 1000.0)
       from generate_series(1, cardinality($2::int[])) n
       returning id, created_at
     ), numbered as (select *, row_number() over (order by id) as place from filed)
     insert into ticket_events (ticket_id, status, created_at)
     select id, case when place % 2 = 0 then 'rejected' else 'approved' end, created_at + make_interval(secs => ($2::int[])[place])
     from numbered order by place`,
    [userId, seconds, daysAgo],
  );
}
/** A usual time is that of all tickets. */
beforeEach(() => api.pool.query('delete from tickets'));
const few = (count: number, seconds: number) => Array.from({ length: count }, () => seconds);

test('a usual time is the median of approved and rejected tickets, once there are enough of them', async () => {
  await decided(few(decisionsMeasuredAtLeast - 1, 600));
  expect(await read()).toBeNull();
  await decided([6_000]);
  expect(await read()).toBe(600);
  // Half of a second is no less than the whole.
  await decided(few(decisionsMeasuredAtLeast, 601));
  expect(await read()).toBe(601);
});

test('only the last decisions count, of the last seven days, whenever the ticket was filed', async () => {
  await decided(few(decisionsMeasured, 30), { daysAgo: 8 });
  expect(await read()).toBeNull();
  await decided(few(decisionsMeasuredAtLeast, 8 * 86_400), { daysAgo: 9 });
  expect(await read()).toBe(8 * 86_400);
  await decided(few(decisionsMeasured, 60));
  expect(await read()).toBe(60);
});

test('of a ticket that was decided twice the first decision counts; one that waits does not', async () => {
  await decided(few(decisionsMeasuredAtLeast - 1, 300));
  const { client } = await buildAdmin(api);
  const { id } = await buildTicket(api.db, userId, { createdAt: new Date(Date.now() - 86_400_000) });
  expect(await read()).toBeNull();
  await client.send('PATCH', `/api/tickets/${id}/status`, { status: 'approved' });
  expect(await read()).toBe(300);
  await api.pool.query('delete from tickets where id <> $1', [id]);
  await decided(few(decisionsMeasuredAtLeast - 2, 300));
  await client.send('PATCH', `/api/tickets/${id}/status`, { status: 'rejected' });
  expect(await read()).toBeNull();
});
