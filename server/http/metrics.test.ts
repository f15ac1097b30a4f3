import { once } from 'node:events';
import net from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { recordAlarm } from '#server/features/alarms/store.ts';
import { startSignUp } from '#server/testing/auth-steps.ts';
import { buildCaller, nextPhone } from '#server/testing/builders.ts';
import { startTestApi } from '#server/testing/test-api.ts';
import { createMetrics } from './metrics.ts';
import { serveMetrics } from './serve-metrics.ts';

const metrics = createMetrics();
const api = await startTestApi({ metrics });
const server = await serveMetrics(metrics, { port: 0, host: '127.0.0.1' });
afterAll(server.close);

const ask = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${server.port}${path}`, { method });
const scrape = async () => (await ask('/metrics')).text();

/** The value of a series, by its name and labels as the text has them. */
async function read(series: string): Promise<number | undefined> {
  const line = (await scrape()).split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

const handled = (labels: string) => read(`guichet_http_request_duration_seconds_count{${labels}}`);

describe('requests', () => {
  test('are timed by template, method and class of status, and by no path that somebody wrote', async () => {
    const { client } = await buildCaller(api);
    for (const others of [123456, 654321]) expect((await client.get(`/api/admin/tickets/${others}`)).status).toBe(403);
    for (const nowhere of ['/api/nowhere-1', '/api/nowhere-2', '/uploads/nowhere.webp', '/nowhere.php'])
      expect((await client.get(nowhere)).status).toBe(404);
    await client.post('/api/auth/signin', { phoneOrEmail: '+22670112233', password: 'un-faux-mot' });

    const text = await scrape();
    expect(await handled('route="/api/admin/tickets/:id",method="GET",status="4xx"')).toBe(2);
    expect(await handled('route="/api/auth/signin",method="POST",status="4xx"')).toBe(1);
    expect(await handled('route="unknown",method="GET",status="4xx"')).toBeGreaterThanOrEqual(3);
    expect(text).not.toMatch(/nowhere|123456|70112233/);
  });

  test('answered from memory are counted too, by what was sent', async () => {
    const { client } = await buildCaller(api);
    const first = await client.get('/api/payment-types');
    const whole = (await read('guichet_http_memory_answers_total{status="200"}')) ?? 0;
    const unchanged = (await read('guichet_http_memory_answers_total{status="304"}')) ?? 0;
    expect((await client.get('/api/payment-types')).status).toBe(200);
    expect((await client.get('/api/payment-types', { 'if-none-match': String(first.headers.etag) })).status).toBe(304);
    expect(await read('guichet_http_memory_answers_total{status="200"}')).toBe(whole + 1);
    expect(await read('guichet_http_memory_answers_total{status="304"}')).toBe(unchanged + 1);
    expect(await read('guichet_answer_cache_bytes')).toBeGreaterThan(0);
  });
});

test('messages are counted by gateway and outcome', async () => {
  await startSignUp(api, nextPhone());
  expect(await read('guichet_sms_attempts_total{gateway="file",outcome="sent"}')).toBeGreaterThan(0);
});

test('the queue, the alarms and the database are told as the database has them', async () => {
  await api.pool.query("select graphile_worker.add_job('send_sms', run_at => now() - interval '1 minute')");
  await recordAlarm(api.db, { key: 'disk', level: 'critical', message: 'Le disque est plein.' });
  expect(await read('guichet_jobs{state="due"}')).toBeGreaterThanOrEqual(1);
  expect(await read('guichet_alarm{key="disk",level="critical"}')).toBe(1);
  expect(await scrape()).toMatch(/^process_resident_memory_bytes [\d.e-]+$/m);
});

test.each([
  ['up', async () => ({ alarms: [{ key: 'disk', level: 'critical' }], jobsDue: 11 }), 1],
  ['away', () => Promise.reject(new Error('ECONNREFUSED')), 0],
])('each figure is told under its own name while the database is %s', async (_, readDatabase, up) => {
  const figures = createMetrics();
  figures.watch({
    pool: { totalCount: 31, idleCount: 8, waitingCount: 3 },
    feed: { isLive: () => true },
    answers: { bytes: 501, counts: { unchanged: 1_001, whole: 207, found: 43, made: 19 } },
    readDatabase,
  });
  const { text } = await figures.read();
  expect(text.split('\n').filter((line) => /^guichet_.* [\d.]+$/.test(line))).toEqual([
    'guichet_http_memory_answers_total{status="200"} 207',
    'guichet_http_memory_answers_total{status="304"} 1001',
    'guichet_answer_cache_bytes 501',
    'guichet_database_connections{state="idle"} 8',
    'guichet_database_connections{state="busy"} 23',
    'guichet_database_connections{state="awaited"} 3',
    'guichet_feed_live 1',
    `guichet_database_up ${up}`,
    ...(up ? ['guichet_jobs{state="due"} 11', 'guichet_alarm{key="disk",level="critical"} 1'] : []),
  ]);
});

describe('the port', () => {
  test.each([
    ['GET', '/api/health/live'],
    ['POST', '/metrics'],
  ])('%s %s is nothing there', async (method, path) => {
    expect((await ask(path, method)).status).toBe(404);
  });

  test('answers in the format of Prometheus', async () => {
    const answer = await ask('/metrics?from=prometheus');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  });

  test('that is taken is told in a sentence that names its setting', async () => {
    await expect(serveMetrics(metrics, { port: server.port, host: '127.0.0.1' })).rejects.toThrow('METRICS_PORT');
    await expect(serveMetrics(metrics, { port: 0, host: '192.0.2.1' })).rejects.toThrow('METRICS_HOST');
  });

  test('ends with all its connections', async () => {
    const other = await serveMetrics(metrics, { port: 0, host: '127.0.0.1' });
    const socket = net.connect(other.port, '127.0.0.1');
    await once(socket, 'connect');
    const ended = once(socket, 'close');
    await other.close();
    await ended;
  });
});
