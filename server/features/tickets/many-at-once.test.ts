import { afterAll, beforeAll, expect, test } from 'vitest';
import { databaseLimits } from '#server/process/limits.ts';
import { countRows, orderBody } from '#server/testing/bodies.ts';
import { buildAdmin, buildCaller, buildFinalService, buildPaymentType } from '#server/testing/builders.ts';
import { startTestApi, type TestApi } from '#server/testing/test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
  await buildPaymentType(api.db);
});
afterAll(() => api.close());

/** Twice as many as there are connections. */
const people = 2 * databaseLimits.connections + 2;

test('people who file at the same moment, more than there are connections, are all answered with their tickets', async () => {
  const callers = [];
  for (let count = 0; count < people; count += 1) callers.push(await buildCaller(api));
  const { client: admin } = await buildAdmin(api);
  let decided: number[] = [];
  for (let round = 1; round <= 5; round += 1) {
    // A path that nobody filed for yet: its row is written by the first of them, and waited for by the others.
    const path = await buildFinalService(api.db, { name: `Envoi ${round}` });
    const filing = Promise.all(callers.map(({ client }) => client.post('/api/tickets', orderBody(path))));
    const deciding = Promise.all(decided.map((id) => admin.patch(`/api/tickets/${id}/status`, { status: 'approved' })));
    const [filed, decisions] = await Promise.all([filing, deciding]);
    expect(filed.map(({ status }) => status)).toEqual(callers.map(() => 201));
    expect(decisions.map(({ status }) => status)).toEqual(decided.map(() => 200));
    decided = filed.map(({ body }) => body.id as number);
    expect(new Set(decided).size).toBe(people);
  }
  expect(await countRows(api, 'tickets', 'true')).toBe(5 * people);
  expect(await countRows(api, 'ticket_events', `status = 'pending'`)).toBe(5 * people);
  expect(await countRows(api, 'ticket_paths', 'true')).toBe(5);
});
