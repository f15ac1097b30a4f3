import type pg from 'pg';
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
  const { client: leaver, user } = await buildCaller(api);
  // One is the job runner's for good, and one is left for the call that is under way, which waits for the row of its session.
  const taken = await Promise.all(Array.from({ length: databaseLimits.connections - 2 }, () => api.pool.connect()));
  const [holder, looker] = taken as [pg.PoolClient, pg.PoolClient];
  await holder.query('begin');
  await holder.query('select from sessions where user_id = $1 for update', [user.id]);
  const underWay = leaver.post('/api/auth/signout');
  await vi.waitFor(
    async () => {
      const { rows } = await looker.query(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      expect(rows).toHaveLength(1);
    },
    { timeout: 20_000, interval: 5 },
  );
  const waiting = Array.from({ length: outageLimits.waitingAtMost + 1 }, () => api.pool.query('select 1'));
  const refused = await caller.get('/api/admin/tickets');
  expect(refused.status).toBe(503);
  expect(refused.body.code).toBe('BUSY');
  expect(refused.headers['retry-after']).toBe('5');
  expect((await caller.get('/api/health/live')).status).toBe(200);
  const ready = caller.get('/api/health/ready');
  await holder.query('commit');
  for (const client of taken) client.release();
  expect((await underWay).status).toBe(200);
  expect((await ready).status).toBe(200);
  await Promise.all(waiting);
  expect((await caller.get('/api/admin/tickets')).status).toBe(403);
});
