import Fastify from 'fastify';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseLimits, httpLimits } from '#server/process/limits.ts';
import { buildCaller } from '#server/testing/builders.ts';
import { eventually } from '#server/testing/eventually.ts';
import { request, startTestApi, type TestApi } from '#server/testing/test-api.ts';
import { untilBlocked } from '#server/testing/until-blocked.ts';
import { answerFailure } from './failures.ts';
import { shedLoad } from './shed-load.ts';

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
  for (const refusing of ['@fastify/multipart', '@fastify/helmet'])
    expect(placeOf('@fastify/cookie'), refusing).toBeLessThan(placeOf(refusing));
});

/** What every answer of the API says, refused or not. */
const usual = {
  'x-request-id': expect.stringMatching(/./),
  'content-security-policy': expect.stringContaining("default-src 'none'"),
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

describe('while the event loop is held up for longer than is allowed', () => {
  let held: TestApi;
  beforeAll(async () => {
    // The least that there is: any turn takes longer.
    held = await startTestApi({ eventLoopMs: Number.MIN_VALUE, rateLimits: 'on' });
    await eventually(async () => expect((await held.client().get('/api/auth/me')).status).toBe(503));
  });
  afterAll(() => held.close());

  test.each(['/api/auth/me', '/api/health/ready', '/api/rien'])(
    '%s is refused as usual, with a time to come back',
    async (url) => {
      const { status, body, headers } = await held.client().get(url);
      expect([status, body.code, headers['retry-after']]).toEqual([503, 'BUSY', '5']);
      expect(headers).toMatchObject(usual);
    },
  );

  test('the process says that it lives', async () => {
    expect(await held.client().get('/api/health/live')).toMatchObject({ status: 200, headers: usual });
  });

  test('what never becomes a request has the headers that it always has', async () => {
    const { headers } = await held.client().get('/%zz');
    const { 'x-request-id': _, ...shared } = usual;
    expect(headers).toMatchObject(shared);
  });
});

test('a stall of the start counts for nothing, and one after it does', async () => {
  const app = Fastify();
  app.setErrorHandler(answerFailure);
  shedLoad(app, { pool: { waitingCount: 0 }, eventLoopMs: 20 });
  app.get('/', async () => 'x');
  const stall = async () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, httpLimits.eventLoopSampleMs + 100);
    // The timers that are due: the sample among them.
    await new Promise((resolve) => setTimeout(resolve, 1));
  };
  await stall();
  expect((await app.inject('/')).statusCode).toBe(200);
  await eventually(async () => {
    await stall();
    expect((await app.inject('/')).statusCode).toBe(503);
  });
  await app.close();
});

test('what the limit of requests refuses has the headers of all answers', async () => {
  const flooded = await startTestApi({ rateLimits: 'on' });
  for (const [url, remoteAddress] of [
    ['/api/rien', '192.0.2.1'],
    ['/api/health/live', '192.0.2.2'],
  ]) {
    const ask = () => request(flooded.app, { url, remoteAddress });
    for (let sent = 0; sent < httpLimits.requestsPerPeriod; sent += 500)
      await Promise.all(Array.from({ length: 500 }, ask));
    const { statusCode, headers } = await ask();
    expect(statusCode).toBe(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(headers).toMatchObject(usual);
  }
  await flooded.close();
});

test('while too many wait for the database, calls are refused at once; those under way and the health of the process are not', async () => {
  const { client: caller } = await buildCaller(api);
  const { client: leaver, user } = await buildCaller(api);
  // One is left for the call that is under way, which waits for the row of its session.
  const taken = await Promise.all(Array.from({ length: databaseLimits.connections - 1 }, () => api.pool.connect()));
  const [holder, looker] = taken as [pg.PoolClient, pg.PoolClient];
  await holder.query('begin');
  await holder.query('select from sessions where user_id = $1 for update', [user.id]);
  const underWay = leaver.post('/api/auth/signout');
  await untilBlocked(looker, holder);
  const waiting = Array.from({ length: databaseLimits.waitingAtMost + 1 }, () => api.pool.query('select 1'));
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
