import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countedUpTo } from '#contract/shapes.ts';
import { countUnread, listNotifications } from '#server/features/notifications/store.ts';
import { notifications } from '#server/features/notifications/tables.ts';
import { buildNotification, buildTicket, buildUser } from '#server/testing/builders.ts';
import { startTestApi, type TestApi } from '#server/testing/test-api.ts';
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
  await api.pool.query('update notifications set is_read = true where id % 3 = 0');
});
afterAll(() => api.close());

/** All rows of a person, and what of them the page should have. */
async function pageOf(
  table: typeof tickets | typeof notifications,
  { userId, limit, before }: { userId: number; limit: number; before?: number | undefined },
) {
  const theirs = (await api.db.select().from(table)).filter((row) => row.userId === userId);
  const rows = theirs.filter(({ id }) => !before || id < before).toSorted((a, b) => b.id - a.id);
  return { rows: rows.slice(0, limit), count: { total: theirs.length, capped: false } };
}

test.each([
  { what: 'tickets', list: listUserTickets, table: tickets },
  { what: 'notifications', list: listNotifications, table: notifications },
])('a page of $what has the rows of its person alone, newest first, and their count', async ({ list, table }) => {
  const page = fc.record({
    userId: fc.constantFrom(...people, 999_999),
    limit: fc.integer({ min: 1, max: 8 }),
    before: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(page, async (asked) => {
      expect(await list(api.db, asked.userId, asked)).toStrictEqual(await pageOf(table, asked));
    }),
    { numRuns: 30 },
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
