import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { databaseLimits } from '#server/database/limits.ts';
import { buildCaller } from '#server/testing/builders.ts';
import { eventually } from '#server/testing/eventually.ts';
import { request, startTestApi } from '#server/testing/test-api.ts';
import { untilBlocked } from '#server/testing/until-blocked.ts';
import { whileHeld } from '#server/testing/while-locked.ts';
import { httpLimits, lookLimits } from './limits.ts';

const api = await startTestApi();

/** What every answer of the API says, refused or not. */
const usual = {
  'x-request-id': expect.stringMatching(/./),
  'content-security-policy': expect.stringContaining("default-src 'none'"),
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

test('while the event loop is held up for longer than is allowed, calls are refused as usual, with a time to come back; the process says that it lives', async () => {
  // The least that there is: any turn takes longer.
  const held = (await startTestApi({ eventLoopMs: Number.MIN_VALUE, rateLimits: 'on' })).client();
  await eventually(async () => expect((await held.get('/api/auth/me')).status).toBe(503));
  for (const url of ['/api/auth/me', '/api/health/ready', '/api/rien']) {
    const { status, body, headers } = await held.get(url);
    expect([url, status, body.code, headers['retry-after']]).toEqual([url, 503, 'BUSY', '5']);
    expect(headers).toMatchObject(usual);
  }
  expect(await held.get('/api/health/live')).toMatchObject({ status: 200, headers: usual });
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

test.each([
  ['sessions', () => request(api.app, { url: '/api/auth/me', headers: { cookie: `guichet_session=${randomUUID()}` } })],
  [
    'payment_sources',
    () => request(api.app, { method: 'POST', url: `/api/payment-feed/${randomUUID()}/sms`, payload: { text: 'x' } }),
  ],
])('who invents keys to %s waits in a line with an end, and takes nobody else the database', async (table, invent) => {
  const usualStatus = (await invent()).statusCode;
  let answers: Promise<number>[] = [];
  await whileHeld(api.pool, `lock table ${table} in access exclusive mode`, async () => {
    const all = lookLimits.atOnce + lookLimits.waiting + 1;
    const refused: number[] = [];
    answers = Array.from({ length: all }, async () => {
      const { statusCode } = await invent();
      if (statusCode === 503) refused.push(statusCode);
      return statusCode;
    });
    await eventually(() => expect(refused).toEqual([503]));
    expect(await api.client().get('/api/health/ready')).toMatchObject({ status: 200 });
  });
  expect((await Promise.all(answers)).filter((status) => status !== usualStatus)).toEqual([503]);
});

test('a flood waits for its refusals: beyond so many a minute each takes a second, and nobody else waits', async () => {
  const { app } = await startTestApi({ rateLimits: 'on', requestsPerPeriod: 1 });
  const ask = async (remoteAddress: string) => {
    const since = performance.now();
    const { statusCode } = await app.inject({ url: '/api/auth/me', remoteAddress });
    return { statusCode, waited: performance.now() - since >= httpLimits.refusalWaitMs - 1 };
  };
  const flood = await Promise.all(Array.from({ length: 1 + httpLimits.refusedAtOnce }, () => ask('192.0.2.1')));
  expect(flood.filter(({ statusCode, waited }) => statusCode !== 429 || waited)).toHaveLength(1);
  const [next, other] = await Promise.all(['192.0.2.1', '192.0.2.2'].map(ask));
  expect([next, other]).toEqual([
    { statusCode: 429, waited: true },
    { statusCode: 401, waited: false },
  ]);
});
