import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  cleanUp,
  createDataFolder,
  HttpClient,
  otherLimits,
  postgresFolder,
  postgresPid,
  query,
  readAdministrator,
  startServer,
} from '#server/testing/server-process.ts';

/** Whole processes start here, on machines that may be busy. */
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });
const soon = { timeout: 60_000, interval: 10 };
/** What stops in order may take its time there: only who hangs is to be cut off by the product's own limits. */
const patient = otherLimits({
  'limits.ts': { stopLimits: { othersMs: 60_000, wholeMs: 80_000, databaseSeconds: 60 } },
});

let folder: string;
let administrator: { phoneOrEmail: string; password: string };

beforeAll(async () => {
  folder = createDataFolder();
  const server = await startServer(folder, patient);
  administrator = await readAdministrator(server);
  expect((await server.end('SIGTERM')).code).toBe(0);
});
afterAll(cleanUp);

/**
 * A sign-in whose body is still to come, known to be under way: the server itself asks for the body, by
 * '100 Continue'. `finish` sends it and answers all that the server wrote after that.
 */
async function beginSignIn(port: number): Promise<{ finish(): Promise<string> }> {
  const body = JSON.stringify(administrator);
  const socket = net.connect(port, '127.0.0.1').setEncoding('utf8');
  let received = '';
  socket.on('data', (chunk: string) => {
    received += chunk;
  });
  socket.write(
    [
      'POST /api/auth/signin HTTP/1.1',
      'Host: localhost',
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Expect: 100-continue',
      '\r\n',
    ].join('\r\n'),
  );
  await vi.waitFor(() => expect(received).toContain('100 Continue'), soon);
  return {
    async finish() {
      received = '';
      socket.write(body);
      await once(socket, 'close');
      return received;
    },
  };
}

/**
 * A poll whose head is still to come to its end, known to be under way: its beginning came in one piece with the request
 * before it, whose answer is there. `finish` ends it, with the ETag of that answer, and answers all that the server wrote then.
 */
async function beginPoll(port: number, url: string): Promise<{ first: string; finish(): Promise<string> }> {
  const socket = net.connect(port, '127.0.0.1').setEncoding('utf8');
  let received = '';
  socket.on('data', (chunk: string) => {
    received += chunk;
  });
  const head = `GET ${url} HTTP/1.1\r\nHost: localhost\r\n`;
  socket.write(`${head}\r\n${head}`);
  const etag = await vi.waitFor(() => {
    const [, found] = /\r\netag: (.*)\r\n/i.exec(received) ?? [];
    if (!found) throw new Error(`no answer yet: ${received}`);
    return found;
  }, soon);
  return {
    first: received,
    async finish() {
      received = '';
      socket.write(`If-None-Match: ${etag}\r\n\r\n`);
      await once(socket, 'close');
      return received;
    },
  };
}

/** Whether something listens on the port. */
function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => resolve(true));
    socket.once('error', () => resolve(false)).once('connect', () => socket.destroy());
  });
}

describe('stopping', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s lets the request under way finish, stops PostgreSQL, and leaves with 0',
    async (signal) => {
      const server = await startServer(folder, patient);
      const idle = new HttpClient(server.port);
      expect((await idle.send('GET', '/api/health/ready')).status).toBe(200);
      const request = await beginSignIn(server.port);
      expect(postgresPid(folder)).toBeDefined();

      const ended = server.end(signal);
      await vi.waitFor(async () => expect(await listens(server.port)).toBe(false), soon);
      const answer = await request.finish();
      expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
      expect(answer).toContain('guichet_session=');
      expect(answer).toContain('"isAdmin":true');

      const exit = await ended;
      expect(exit).toMatchObject({ code: 0, stderr: '' });
      expect(exit.stdout.trim()).toBe(`Guichet est prêt : http://localhost:${server.port}`);
      expect(postgresPid(folder)).toBeUndefined();
    },
  );

  test('answers what it had begun and refuses polls, also those that memory knows, and each answer ends its connection', async () => {
    const server = await startServer(folder, patient);
    const url = '/api/payment-types';
    expect((await new HttpClient(server.port).send('GET', url)).status).toBe(200);
    const poll = await beginPoll(server.port, url);
    expect(poll.first).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    const request = await beginSignIn(server.port);
    const ended = server.end('SIGTERM');
    await vi.waitFor(async () => expect(await listens(server.port)).toBe(false), soon);
    for (const [answer, status] of [
      [await poll.finish(), 503],
      [await request.finish(), 200],
    ] as const) {
      expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(answer).toMatch(/\r\nconnection: close\r\n/i);
    }
    expect((await ended).code).toBe(0);
  });

  test('a second signal changes nothing', async () => {
    const server = await startServer(folder, patient);
    const request = await beginSignIn(server.port);
    const ended = server.end('SIGINT');
    await vi.waitFor(async () => expect(await listens(server.port)).toBe(false), soon);
    process.kill(server.pid, 'SIGINT');
    process.kill(server.pid, 'SIGTERM');
    expect(await request.finish()).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
    expect(postgresPid(folder)).toBeUndefined();
  });

  test('a request that never comes to its end does not keep the process, nor PostgreSQL', async () => {
    const server = await startServer(folder, patient);
    await beginSignIn(server.port);
    // 0: it stopped in order. Where something hangs, the process leaves with another code when its time is over.
    expect(await server.end('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
    expect(postgresPid(folder)).toBeUndefined();
  });

  test('a statement that hangs does not keep PostgreSQL from being told to stop', async () => {
    const server = await startServer(folder);
    const told = () =>
      readFileSync(path.join(postgresFolder(folder), 'server.log'), 'utf8').split('fast shutdown').length;
    const toldBefore = told();
    const backends = await vi.waitFor(async () => {
      const found = await query<{ pid: number; query: string }>(
        folder,
        "select pid, query from pg_stat_activity where application_name = 'guichet'",
      );
      // The job runner's, which is there for good.
      expect(found.map((each) => each.query)).toContainEqual(expect.stringMatching(/^listen /i));
      return found;
    });
    for (const { pid } of backends) process.kill(pid, 'SIGSTOP');
    const ended = server.end('SIGTERM');
    await vi.waitFor(() => expect(told()).toBe(toldBefore + 1), soon);
    for (const { pid } of backends) process.kill(pid, 'SIGCONT');
    expect((await ended).code).toBe(1);
    await vi.waitFor(() => expect(postgresPid(folder)).toBeUndefined(), soon);
  });
});

describe('an error that nobody catches', () => {
  test.each([
    ['a rejection', 'Promise.reject(error)'],
    ['an exception', 'throw error'],
  ])(
    '%s is logged without what it tells of people, and the process stops in order, with another code than 0',
    async (_, fail) => {
      const program = `const error = new Error('nobody waits for +22670123456');
      process.on('SIGUSR2', () => { ${fail} });`;
      const server = await startServer(folder, {
        NODE_OPTIONS: `${patient.NODE_OPTIONS} --import=data:text/javascript,${encodeURIComponent(program)}`,
      });
      process.kill(server.pid, 'SIGUSR2');
      const { code, stdout, stderr } = await server.exited;
      expect([code, stderr]).toEqual([1, '']);
      expect(stdout).toContain('"level":60');
      expect(stdout).toContain('nobody waits for +226…56');
      expect(stdout).not.toContain('70123456');
      expect(postgresPid(folder)).toBeUndefined();
    },
  );
});

describe('kill -9', () => {
  test('the next start adopts the PostgreSQL that was left running, and everything is there', async () => {
    const killed = await startServer(folder, patient);
    const client = new HttpClient(killed.port);
    expect((await client.send('POST', '/api/auth/signin', administrator)).status).toBe(200);
    const made = await client.send<{ id: number }>('POST', '/api/admin/payment-types', { name: 'Avant la coupure' });
    expect(made.status).toBe(201);
    const pid = postgresPid(folder);
    expect((await killed.end('SIGKILL')).code).toBeNull();
    expect(postgresPid(folder)).toBe(pid);

    const server = await startServer(folder, { ...patient, PORT: String(killed.port) });
    expect(postgresPid(folder)).toBe(pid);
    const types = await client.send<object[]>('GET', '/api/payment-types');
    expect(types.body).toContainEqual(expect.objectContaining({ id: made.body.id, name: 'Avant la coupure' }));
    expect((await client.send('GET', '/api/auth/me')).status).toBe(200);
    expect((await server.end('SIGTERM')).code).toBe(0);
    expect(postgresPid(folder)).toBeUndefined();
  });
});
