import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { requireRow } from '#server/database/rows.ts';
import { buildFinalService, buildTicket, buildUser } from '#server/testing/builders.ts';
import { startTestApi } from '#server/testing/test-api.ts';
import { untilBlocked } from '#server/testing/until-blocked.ts';
import { foldTallies, listTicketDays, listTopServices, readTicketTally, readUserTally } from './tallies-store.ts';

const api = await startTestApi();
const serviceIds: number[] = [];
for (let count = 0; count < 3; count += 1) serviceIds.push((await buildFinalService(api.db)).at(-1)?.id ?? 0);

const since = new Date('2026-01-01T00:00:00Z');
const timeZone = 'Africa/Lagos';

/** What the tallies say, and what counting every row says. */
async function bothWays() {
  const tallied = {
    status: await readTicketTally(api.db),
    users: await readUserTally(api.db, since),
    days: await listTicketDays(api.db, { since, timeZone }),
    top: await listTopServices(api.db, { since, limit: 10 }),
  };
  const one = async (query: string, values: unknown[] = []) => (await api.pool.query(query, values)).rows;
  const [status] = await one(
    `select count(*) filter (where status = 'pending')::int as pending, count(*) filter (where status = 'approved')::int as approved,
            count(*) filter (where status = 'rejected')::int as rejected from tickets`,
  );
  const [users] = await one(
    'select count(*)::int as total, count(*) filter (where created_at >= $1)::int as recent from users',
    [since],
  );
  const days = await one(
    `select to_char(created_at at time zone $2, 'YYYY-MM-DD') as day, count(*)::int as tickets,
            coalesce(sum(amount + commission) filter (where status <> 'rejected'), 0)::float8 as francs
     from tickets where created_at >= $1 group by 1 order by 1`,
    [since, timeZone],
  );
  const top = await one(
    `select service_id as "serviceId", count(*)::int as tickets from tickets where service_id is not null and created_at >= $1
     group by 1 order by 2 desc, 1`,
    [since],
  );
  return {
    tallied: { ...tallied, days: tallied.days.filter((day) => day.tickets > 0) },
    counted: { status, users, days, top },
  };
}

const change = fc.oneof(
  fc.record({
    kind: fc.constant('file'),
    service: fc.nat(2),
    hoursAgo: fc.nat(3000),
    amount: fc.integer({ min: 1, max: 90_000 }),
  }),
  fc.record({ kind: fc.constantFrom('decide', 'delete', 'orphan', 'reprice', 'rename'), which: fc.nat(40) }),
  fc.record({ kind: fc.constantFrom('fold', 'user', 'leave') }),
);

test('the tallies are what counting gives, whatever happens to rows and whenever they are folded', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 15 }), async (changes) => {
      for (const each of changes) {
        const one = 'which' in each ? `(select id from tickets order by id desc offset ${each.which} limit 1)` : '';
        if ('service' in each)
          await buildTicket(api.db, (await buildUser(api.db)).id, {
            serviceId: serviceIds[each.service] ?? null,
            amount: each.amount,
            commission: 10,
            totalPrice: String(each.amount + 10),
            createdAt: new Date(Date.parse('2026-11-20T10:30:00Z') - each.hoursAgo * 3_600_000),
          });
        if (each.kind === 'decide') await api.pool.query(`update tickets set status = 'rejected' where id = ${one}`);
        if (each.kind === 'delete') await api.pool.query(`delete from tickets where id = ${one}`);
        if (each.kind === 'orphan') await api.pool.query(`update tickets set service_id = null where id = ${one}`);
        if (each.kind === 'reprice')
          await api.pool.query(`update tickets set amount = 7, commission = 0, total_price = '7' where id = ${one}`);
        if (each.kind === 'rename')
          await api.pool.query(`update tickets set payment_type_name = 'Autre' where id = ${one}`);
        if (each.kind === 'user') await buildUser(api.db);
        if (each.kind === 'leave') await api.pool.query('delete from users where id = (select max(id) from users)');
        if (each.kind === 'fold') await foldTallies(api.db, 3);
      }
      const { tallied, counted } = await bothWays();
      expect(tallied).toEqual(counted);
    }),
    { numRuns: 20 },
  );
  while ((await foldTallies(api.db, 50)) > 0);
  const { rows } = await api.pool.query('select count(*)::int as n from tally_changes');
  expect(rows).toEqual([{ n: 0 }]);
  const { tallied, counted } = await bothWays();
  expect(tallied).toEqual(counted);
});

test('a process that folds while another one does takes other changes, and none is lost or doubled', async () => {
  while ((await foldTallies(api.db, 50)) > 0);
  for (let count = 0; count < 30; count += 1) await buildTicket(api.db, (await buildUser(api.db)).id);
  let second = Promise.resolve(0);
  const first = await api.db.transaction(async (tx) => {
    const folded = await foldTallies(tx, 10);
    second = foldTallies(api.db, 10);
    // It has the changes it will fold, and waits for the sums that the first one has not committed.
    const { pid } = await requireRow<{ pid: number }>(tx, sql`select pg_backend_pid() as pid`);
    await untilBlocked(api.pool, pid);
    return folded;
  });
  expect([first, await second]).toEqual([10, 10]);
  const { tallied, counted } = await bothWays();
  expect(tallied).toEqual(counted);
});
