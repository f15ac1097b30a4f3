import { randomUUID } from 'node:crypto';
import http from 'node:http';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { eventually } from '#server/testing/eventually.ts';
import { templateDatabase } from '#server/testing/global-setup.ts';
import { cleanUp, createDataFolder, findFreePort, startServer } from '#server/testing/server-process.ts';

const database = `test_${randomUUID().replaceAll('-', '')}`;
/** As `server/database/migrate.ts` has it: who holds it has every start wait for its turn. */
const migrationLock = 7_226_001;
let admin: pg.Client;
let url: string;

beforeAll(async () => {
  const { host, port, user, password } = inject('server');
  admin = new pg.Client({ ...inject('server'), database: 'postgres' });
  await admin.connect();
  await admin.query(`create database ${database} template ${templateDatabase}`);
  const parts = new URL(`postgres://localhost:${port}/${database}`);
  Object.assign(parts, { username: user, password });
  parts.searchParams.set('host', host);
  url = parts.href;
});
afterAll(async () => {
  await cleanUp();
  await admin.query(`drop database ${database} with (force)`);
  await admin.end();
});

/** Asks on one connection, as long as nobody breaks it. */
function onOneConnection(port: number) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const sockets = new Set<unknown>();
  const ask = (path: string, method = 'GET') =>
    new Promise<{ status: number | undefined; headers: http.IncomingHttpHeaders; body: string }>((resolve, reject) => {
      const request = http.request({ port, host: '127.0.0.1', path, method, agent }, (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (text: string) => {
          body += text;
        });
        response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body }));
      });
      request.on('socket', (socket) => sockets.add(socket)).on('error', reject);
      request.end();
    });
  return { ask, sockets, end: () => agent.destroy() };
}

test('while it starts the port answers 503, and the same connection is served when it is ready', async () => {
  const holder = new pg.Client(url);
  await holder.connect();
  await holder.query('select pg_advisory_lock($1)', [migrationLock]);
  const port = await findFreePort();
  const starting = startServer(createDataFolder(), { DATABASE_URL: url, PORT: String(port) });
  const caller = onOneConnection(port);
  await eventually(() => caller.ask('/api/health/live'));
  caller.sockets.clear();

  expect(await caller.ask('/api/health/live')).toMatchObject({ status: 200, body: '{"status":"ok"}' });
  for (const [method, path] of [
    ['GET', '/api/health/ready'],
    ['GET', '/api/services?x=1'],
    ['POST', '/api/auth/signin'],
    ['POST', '/'],
  ] as const) {
    const { status, headers, body } = await caller.ask(path, method);
    expect({ status, retryAfter: headers['retry-after'] }).toEqual({ status: 503, retryAfter: '5' });
    expect(JSON.parse(body)).toEqual({ code: 'BUSY', message: 'Guichet démarre. Revenez dans quelques instants.' });
  }
  const page = await caller.ask('/tickets');
  expect(page).toMatchObject({ status: 503, headers: { 'retry-after': '5', 'cache-control': 'no-store' } });
  expect(page.body).toContain('Guichet démarre.');
  expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; frame-anc/);

  await holder.end();
  const server = await starting;
  expect(await caller.ask('/api/health/ready')).toMatchObject({ status: 200 });
  expect(await caller.ask('/api/services')).toMatchObject({ status: 200 });
  expect(caller.sockets.size).toBe(1);
  caller.end();
  expect(await server.end('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
});

test('told to stop it is not ready for more, and goes on answering for the delay', async () => {
  const server = await startServer(createDataFolder(), { DATABASE_URL: url, STOP_DELAY_SECONDS: '10' });
  const caller = onOneConnection(server.port);
  expect(await caller.ask('/api/health/ready')).toMatchObject({ status: 200 });
  const ended = server.end('SIGTERM');
  await eventually(async () => expect(await caller.ask('/api/health/ready')).toMatchObject({ status: 503 }));
  expect(await caller.ask('/api/services')).toMatchObject({ status: 200 });
  expect(caller.sockets.size).toBe(1);
  caller.end();
  expect(await ended).toMatchObject({ code: 0, stderr: '' });
});

test('metrics are served on their port as long as it runs', async () => {
  const metricsPort = await findFreePort();
  const server = await startServer(createDataFolder(), { DATABASE_URL: url, METRICS_PORT: String(metricsPort) });
  const scrape = () => onOneConnection(metricsPort).ask('/metrics');
  await onOneConnection(server.port).ask('/api/services');
  const { body } = await scrape();
  expect(body).toContain(
    'guichet_http_request_duration_seconds_count{route="/api/services",method="GET",status="2xx"} 1',
  );
  expect(body).toContain('guichet_database_up 1');
  expect(await server.end('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
  await expect(scrape()).rejects.toThrow('ECONNREFUSED');
});
