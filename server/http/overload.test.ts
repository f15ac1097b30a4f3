import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { databaseLimits } from '#server/process/limits.ts';
import { outageLimits } from '#server/process/outage-limits.ts';
import { buildCaller } from '#server/testing/builders.ts';
import { startTestApi, type TestApi } from '#server/testing/test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

test('cookies are parsed before an overloaded server refuses: the hooks on its answer look at them', () => {
  const plugins = api.app.printPlugins();
  const placeOf = (name: string) => {
    expect(plugins).toContain(name);
    return plugins.indexOf(name);
  };
  for (const refusing of ['@fastify/under-pressure', '@fastify/multipart', '@fastify/helmet'])
    expect(placeOf('@fastify/cookie'), refusing).toBeLessThan(placeOf(refusing));
});

test('while too many wait for the database, calls are refused at once; those under way and the health of the process are not', async () => {
  const { client: caller } = await buildCaller(api);
  // One is the job runner's for good.
  const free = Array.from({ length: databaseLimits.connections - 1 }, () => api.pool.connect());
  const taken = await Promise.all(free);
  const underWay = caller.get('/api/auth/me');
  const ready = caller.get('/api/health/ready');
  await vi.waitFor(() => expect(api.pool.waitingCount).toBeGreaterThanOrEqual(2));
  const waiting = Array.from({ length: outageLimits.waitingAtMost + 1 }, () => api.pool.query('select 1'));
  const refused = await caller.get('/api/admin/tickets');
  expect(refused.status).toBe(503);
  expect(refused.body.code).toBe('BUSY');
  expect(refused.headers['retry-after']).toBe('5');
  expect((await caller.get('/api/health/live')).status).toBe(200);
  for (const client of taken) client.release();
  expect((await underWay).status).toBe(200);
  expect((await ready).status).toBe(200);
  await Promise.all(waiting);
  expect((await caller.get('/api/admin/tickets')).status).toBe(403);
});
