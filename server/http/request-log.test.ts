import { beforeEach, describe, expect, test } from 'vitest';
import { routeThrough } from '#server/features/sms/sms-route.ts';
import { createLog } from '#server/process/log.ts';
import { buildCaller } from '#server/testing/builders.ts';
import { eventually } from '#server/testing/eventually.ts';
import { request, startTestApi } from '#server/testing/test-api.ts';

const proxy = '10.0.0.7';
const lines: Record<string, unknown>[] = [];
const log = createLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) });
const api = await startTestApi({
  log,
  worker: true,
  trustProxy: ['10.0.0.0/24', '::1'],
  sms: routeThrough({
    name: 'refusing',
    send: () => Promise.reject(new Error('no to +22670112233')),
  }),
});
beforeEach(() => void lines.splice(0));

const linesOf = (reqId: unknown) => lines.filter((each) => each.reqId === reqId);
const ask = (url: string, options: { id?: string; from?: string } = {}) =>
  request(api.app, {
    url,
    remoteAddress: options.from ?? '192.0.2.1',
    ...(options.id && { headers: { 'x-request-id': options.id } }),
  });

describe('at info', () => {
  test('each request has one line, with the id that is answered, and its route in place of its path', async () => {
    const asked = [
      ['/api/services?x=1', 200, '/api/services'],
      ['/api/services?x=1', 200, '/api/services'],
      ['/api/auth/me', 401, '/api/auth/me'],
      ['/api/content-pages/70112233', 404, '/api/content-pages/:slug'],
      ['/api/nowhere/70112233', 404, 'unknown'],
      ['/uploads/70112233.webp', 404, 'uploads'],
    ] as const;
    for (const [url, status] of asked) {
      const answer = await ask(url);
      expect(answer.statusCode).toBe(status);
      const id = answer.headers['x-request-id'];
      expect(id).toMatch(/^[a-z]{8}-[0-9a-z]+$/);
      await eventually(() => expect(linesOf(id)).toHaveLength(1));
      expect(linesOf(id)[0]).toMatchObject({
        level: 30,
        msg: 'request',
        method: 'GET',
        status,
        ms: expect.any(Number),
      });
    }
    expect(lines.map((each) => each.route)).toEqual(asked.map(([, , route]) => route));
  });

  test('the health checks of a proxy, once a second, have none', async () => {
    for (const url of ['/api/health/live', '/api/health/ready']) expect((await ask(url)).statusCode).toBe(200);
    const after = await ask('/api/nowhere');
    await eventually(() => expect(linesOf(after.headers['x-request-id'])).toHaveLength(1));
    expect(lines.map(({ status }) => status)).toEqual([404]);
  });

  test('what goes wrong is logged under the id that the caller gets', async () => {
    const { client } = await buildCaller(api, { isAdmin: true });
    await api.pool.query('alter table content_pages rename to away');
    const answer = await client
      .get('/api/content-pages/faq')
      .finally(() => api.pool.query('alter table away rename to content_pages'));
    expect(answer.status).toBe(500);
    const id = answer.headers['x-request-id'];
    expect(answer.body.requestId).toBe(id);
    await eventually(() =>
      expect(linesOf(id)).toEqual([
        expect.objectContaining({ level: 50, msg: 'request failed' }),
        expect.objectContaining({ level: 30, msg: 'request', status: 500 }),
      ]),
    );
  });
});

test('a failed sign-in is one line at warn, with the address, two digits of the number and no password', async () => {
  const { user } = await buildCaller(api);
  for (const [phoneOrEmail, phone] of [
    [user.phone, `…${user.phone.slice(-2)}`],
    ['moi@example.bf', undefined],
  ]) {
    lines.splice(0);
    const payload = { phoneOrEmail, password: 'wrong-secret' };
    await request(api.app, { method: 'POST', url: '/api/auth/signin', payload, remoteAddress: '223.70.112.233' });
    const failed = lines.filter((each) => each.msg === 'sign-in failed');
    expect(failed).toEqual([expect.objectContaining({ level: 40, address: '223.70.112.233', code: 'CREDENTIALS' })]);
    expect(failed[0]?.phone).toBe(phone);
    expect(JSON.stringify(lines)).not.toMatch(new RegExp(`wrong-secret|moi@|${user.phone.slice(4)}`));
  }
});

describe('an id that comes with the request', () => {
  test.each([
    [proxy, true],
    ['::1', true],
    ['::ffff:10.0.0.9', true],
    ['10.0.1.7', false],
    ['192.0.2.1', false],
  ])('from %s counts: %s', async (from, counts) => {
    const id = 'edge-4f1c2d_A';
    expect((await ask('/api/services', { id, from })).headers['x-request-id'] === id).toBe(counts);
  });

  test.each(['short', 'x'.repeat(65), 'with space in', 'a"b"c"d"e', 'été-été-été', '22670112233'])(
    'is not taken as %j',
    async (id) => {
      expect((await ask('/api/services', { id, from: proxy })).headers['x-request-id']).not.toBe(id);
    },
  );
});
