import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { routeThrough } from '#server/features/sms/sms-route.ts';
import { createLog } from '#server/process/log.ts';
import { buildCaller } from '#server/testing/builders.ts';
import { eventually } from '#server/testing/eventually.ts';
import { request, startTestApi, type TestApi } from '#server/testing/test-api.ts';

const proxy = '10.0.0.7';
const lines: Record<string, unknown>[] = [];
let api: TestApi;
const log = createLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) });
beforeAll(async () => {
  api = await startTestApi({
    log,
    worker: true,
    trustProxy: ['10.0.0.0/24', '::1'],
    sms: routeThrough({
      name: 'refusing',
      send: () => Promise.reject(new Error('no to +22670112233')),
    }),
  });
});
afterAll(() => api.close());
beforeEach(() => void lines.splice(0));

const linesOf = (reqId: unknown) => lines.filter((each) => each.reqId === reqId);
const ask = (url: string, options: { id?: string; from?: string } = {}) =>
  request(api.app, {
    url,
    remoteAddress: options.from ?? '192.0.2.1',
    ...(options.id && { headers: { 'x-request-id': options.id } }),
  });

describe('at info', () => {
  test('each request has one line, with the id that is answered, and without what stands after the question mark', async () => {
    for (const [url, status] of [
      ['/api/services?x=1', 200],
      ['/api/auth/me', 401],
      ['/api/nowhere/%2B226%2070%2011%2022%2033', 404],
    ] as const) {
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
    expect(lines.map((each) => each.url)).toEqual(['/api/services', '/api/auth/me', '/api/nowhere/+226…33']);
  });

  test('what is answered from memory has its line too', async () => {
    const { client } = await buildCaller(api);
    const first = await client.get('/api/payment-types');
    const again = await client.get('/api/payment-types', { 'if-none-match': String(first.headers.etag) });
    expect(again.status).toBe(304);
    expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    expect(linesOf(again.headers['x-request-id'])).toMatchObject([{ url: '/api/payment-types', status: 304 }]);
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

  test('a job that fails, and a message that is put off, are logged with their ids, and without the number', async () => {
    const { rows: jobs } = await api.pool.query<{ id: string }>(
      `select (graphile_worker.add_job('send_sms', '{"id": "+22670112233"}')).id`,
    );
    const { rows: messages } = await api.pool.query<{ id: number }>(
      `with message as (
         insert into sms_messages (recipient, body, drop_after) values ('+22670112233', 'x', now() + interval '1 hour') returning id
       ) select id, graphile_worker.add_job('send_sms', json_build_object('id', id)) from message`,
    );
    await eventually(() => {
      expect(lines).toContainEqual(expect.objectContaining({ msg: 'job failed', job: jobs[0]?.id, task: 'send_sms' }));
      expect(lines).toContainEqual(
        expect.objectContaining({
          msg: 'job failed',
          err: expect.objectContaining({ message: expect.stringContaining(`SMS ${messages[0]?.id} not sent yet`) }),
        }),
      );
    });
    expect(JSON.stringify(lines)).not.toContain('70112233');
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

test('at warn nothing is logged of a request that goes well, and its id is answered all the same', async () => {
  const quiet: string[] = [];
  const other = await startTestApi({ log: createLog('warn', { write: (line: string) => void quiet.push(line) }) });
  const answer = await request(other.app, { url: '/api/services' });
  expect(answer.headers['x-request-id']).toMatch(/^[a-z]{8}-/);
  await other.close();
  expect(quiet).toEqual([]);
});
