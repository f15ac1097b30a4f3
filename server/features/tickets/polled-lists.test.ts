import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countedUpTo } from '#contract/shapes.ts';
import { countUnread, listNotifications } from '#server/features/notifications/store.ts';
import { notifications } from '#server/features/notifications/tables.ts';
import { buildNotification, buildTicket, buildUser } from '#server/testing/builders.ts';
import { startTestApi, type TestApi } from '#server/testing/test-api.ts';
import { presentTicket } from './present.ts';
import { listUserTickets } from './store.ts';
import { tickets } from './tables.ts';

let api: TestApi;
let people: number[];
beforeAll(async () => {
  api = await startTestApi();
  people = [];
  for (let count = 0; count < 3; count += 1) people.push((await buildUser(api.db)).id);
  const [first = 0, second = 0] = people;
  for (const userId of [first, second, first, first, second, first, first]) {
    const declared = { paymentReference: 'PP.1', paymentDeclaredAt: new Date(1_700_000_000_289) };
    await buildTicket(api.db, userId, userId === first ? { rejectReason: '«\n»', ...declared } : {});
    await buildNotification(api.db, userId, 'Où ?\n« là »');
  }
  // Instants of PostgreSQL have microseconds, which are to be cut in the same way.
  for (const table of ['tickets', 'notifications'])
    await api.pool.query(`update ${table} set created_at = created_at + make_interval(secs => id * 0.289123)`);
  await api.pool.query('update notifications set is_read = true where id % 3 = 0');
});
afterAll(() => api.close());

/** What drizzle reads, all of it, and what of that the page should have. */
async function pageOf(
  table: typeof tickets | typeof notifications,
  { userId, limit, before }: { userId: number; limit: number; before?: number | undefined },
) {
  const theirs = (await api.db.select().from(table)).filter((row) => row.userId === userId);
  const rows = theirs.filter(({ id }) => !before || id < before).toSorted((a, b) => b.id - a.id);
  return { rows: rows.slice(0, limit), count: { total: theirs.length, capped: false } };
}

test.each([
  { what: 'tickets', list: listUserTickets, table: tickets, present: presentTicket },
  {
    what: 'notifications',
    list: listNotifications,
    table: notifications,
    present: (row: typeof notifications.$inferSelect) => ({ ...row, createdAt: row.createdAt.toISOString() }),
  },
])('a page of $what, which PostgreSQL writes, is what is presented of the rows', async ({ list, table, present }) => {
  const page = fc.record({
    userId: fc.constantFrom(...people, 999_999),
    limit: fc.integer({ min: 1, max: 8 }),
    before: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(page, async (asked) => {
      const { rows, count } = await list(api.db, asked.userId, asked);
      const page = await pageOf(table, asked);
      expect(count).toEqual(page.count);
      expect(JSON.parse(rows.text)).toStrictEqual(page.rows.map((row) => present(row as never)));
    }),
    { numRuns: 60 },
  );
});

test('the unread are counted for each', async () => {
  const all = await api.db.select().from(notifications);
  for (const userId of people)
    expect(await countUnread(api.db, userId)).toBe(all.filter((row) => row.userId === userId && !row.isRead).length);
});

test('beyond so many rows they are not counted', async () => {
  const { id } = await buildUser(api.db);
  await api.pool.query(
    `insert into notifications (user_id, title, message) select $1, 'a', 'b' from generate_series(1, $2)`,
    [id, countedUpTo],
  );
  const page = { limit: 1 };
  expect((await listNotifications(api.db, id, page)).count).toEqual({ total: countedUpTo, capped: false });
  await buildNotification(api.db, id);
  expect((await listNotifications(api.db, id, page)).count).toEqual({ total: countedUpTo, capped: true });
});
