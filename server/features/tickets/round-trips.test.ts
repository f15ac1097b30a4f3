import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { orderBody } from '#server/testing/bodies.ts';
import { buildAdmin, buildCaller, buildFinalService, buildPaymentType, buildTicket } from '#server/testing/builders.ts';
import { hearWrites } from '#server/testing/hear-writes.ts';
import { startTestApi, type TestApi } from '#server/testing/test-api.ts';

let api: TestApi;
let heard: ReturnType<typeof hearWrites>;
beforeAll(async () => {
  api = await startTestApi();
  await buildPaymentType(api.db);
});
afterAll(() => api.close());
beforeEach(() => {
  heard = hearWrites(api.pool);
});
afterEach(() => heard.stop());

/**
 * All writes, each with how its statements begin, but for looks at the session: how many there are of those depends on what is heard
 * meanwhile of who signs in.
 */
const transaction = () =>
  heard.writes
    .filter(([first]) => !first?.startsWith('select s.sid,'))
    .map((each) => each.map((text) => text.split(/[ (]/).slice(0, 2).join(' ')));

test('a ticket is filed in two round trips', async () => {
  const { client } = await buildCaller(api);
  const path = await buildFinalService(api.db);
  heard.writes.length = 0;
  expect((await client.post('/api/tickets', orderBody(path), { 'idempotency-key': 'once-and-no-more' })).status).toBe(
    201,
  );
  expect(transaction()).toEqual([
    ['begin', 'select set_config', 'select case', 'with up', 'select id,', 'select d.id,'],
    ['with filed', 'commit'],
  ]);
});

test('an order that is refused ends after the first', async () => {
  const { client } = await buildCaller(api);
  const path = await buildFinalService(api.db);
  heard.writes.length = 0;
  expect((await client.post('/api/tickets', orderBody(path, { totalPrice: 1 }))).status).toBe(409);
  expect(transaction().map((each) => each.length)).toEqual([6, 1]);
  expect(heard.writes.at(-1)).toEqual(['rollback']);
});

test('a decision takes two round trips, its notification, its push and its row in the audit log included', async () => {
  const { client } = await buildAdmin(api);
  const owner = await buildCaller(api);
  const { id } = await buildTicket(api.db, owner.user.id);
  heard.writes.length = 0;
  expect((await client.patch(`/api/tickets/${id}/status`, { status: 'approved' })).status).toBe(200);
  expect(transaction()).toEqual([
    ['begin', 'select id', 'select t."id"', 'select u.phone'],
    ['with decided', 'insert into', 'select graphile_worker.add_job', 'insert into', 'commit'],
  ]);
});
