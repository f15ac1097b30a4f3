import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { eventually } from '#server/testing/eventually.ts';
import { beginPoll, beginSignIn, createUsedFolder, listens } from '#server/testing/open-requests.ts';
import {
  cleanUp,
  HttpClient,
  postgresFolder,
  postgresPid,
  query,
  slowStop,
  startServer,
  untilPostgresIsNew,
} from '#server/testing/server-process.ts';

/** Whole processes start here, on machines that may be busy. */
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });
let folder: string;
let administrator: { phoneOrEmail: string; password: string };

beforeAll(async () => {
  ({ folder, administrator } = await createUsedFolder());
});
afterAll(cleanUp);

describe('stopping', () => {
  test('a second signal changes nothing', async () => {
    const server = await startServer(folder);
    const request = await beginSignIn(server.port, administrator);
    const ended = server.end('SIGINT');
    await eventually(async () => expect(await listens(server.port)).toBe(false));
    process.kill(server.pid, 'SIGINT');
    process.kill(server.pid, 'SIGTERM');
    expect(await request.finish()).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
    expect(postgresPid(folder)).toBeUndefined();
  });

  test('a request that never comes to its end does not keep the process, nor PostgreSQL', async () => {
    const server = await startServer(folder);
    await beginSignIn(server.port, administrator);
    // 0: it stopped in order. Where something hangs, the process leaves with another code when its time is over.
    expect(await server.end('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
    expect(postgresPid(folder)).toBeUndefined();
  });

  test('a statement that hangs does not keep PostgreSQL from being told to stop', async () => {
    // Under the product's own limits, which cut it off.
    const server = await startServer(folder, { NODE_OPTIONS: '' });
    const told = () =>
      readFileSync(path.join(postgresFolder(folder), 'server.log'), 'utf8').split('fast shutdown').length;
    const toldBefore = told();
    const backends = await eventually(async () => {
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
    await eventually(() => expect(told()).toBe(toldBefore + 1));
    for (const { pid } of backends) process.kill(pid, 'SIGCONT');
    expect((await ended).code).toBe(1);
    await eventually(() => expect(postgresPid(folder)).toBeUndefined());
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
        NODE_OPTIONS: `${slowStop.NODE_OPTIONS} --import=data:text/javascript,${encodeURIComponent(program)}`,
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

test('after kill -9 the next start adopts the PostgreSQL that was left running, and everything is there, also when that is killed', async () => {
  const killed = await startServer(folder);
  const client = new HttpClient(killed.port);
  expect((await client.send('POST', '/api/auth/signin', administrator)).status).toBe(200);
  const made = await client.send<{ id: number }>('POST', '/api/admin/payment-types', { name: 'Avant la coupure' });
  expect(made.status).toBe(201);
  const pid = postgresPid(folder);
  expect((await killed.end('SIGKILL')).code).toBeNull();
  expect(postgresPid(folder)).toBe(pid);

  const server = await startServer(folder, { PORT: String(killed.port) });
  expect(postgresPid(folder)).toBe(pid);
  const types = await client.send<object[]>('GET', '/api/payment-types');
  expect(types.body).toContainEqual(expect.objectContaining({ id: made.body.id, name: 'Avant la coupure' }));
  expect((await client.send('GET', '/api/auth/me')).status).toBe(200);

  process.kill(pid as number, 'SIGKILL');
  await untilPostgresIsNew(folder, pid);
  await eventually(async () => expect((await client.send('GET', '/api/health/ready')).status).toBe(200));
  expect((await client.send('GET', '/api/payment-types')).body).toEqual(types.body);
  expect((await client.send('POST', '/api/admin/payment-types', { name: 'Après la coupure' })).status).toBe(201);
  expect((await server.end('SIGTERM')).code).toBe(0);
  expect(postgresPid(folder)).toBeUndefined();
});

test('SIGTERM lets the request under way finish, refuses polls that memory knows, ends each connection, and stops PostgreSQL', async () => {
  const server = await startServer(folder);
  const url = '/api/payment-types';
  expect((await new HttpClient(server.port).send('GET', url)).status).toBe(200);
  const poll = await beginPoll(server.port, url);
  expect(poll.first).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  const request = await beginSignIn(server.port, administrator);
  const ended = server.end('SIGTERM');
  await eventually(async () => expect(await listens(server.port)).toBe(false));
  const [polled, answered] = [await poll.finish(), await request.finish()];
  expect(polled).toMatch(/^HTTP\/1\.1 503 /);
  expect(answered).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(answered).toContain('guichet_session=');
  expect(answered).toContain('"isAdmin":true');
  for (const answer of [polled, answered]) expect(answer).toMatch(/\r\nconnection: close\r\n/i);

  const exit = await ended;
  expect(exit).toMatchObject({ code: 0, stderr: '' });
  expect(exit.stdout.trim()).toBe(`Guichet est prêt : http://localhost:${server.port}`);
  expect(postgresPid(folder)).toBeUndefined();
});
