import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { beginSignIn, createUsedFolder, listens, patientStop as patient } from '#server/testing/open-requests.ts';
import {
  cleanUp,
  HttpClient,
  postgresFolder,
  postgresPid,
  query,
  startServer,
} from '#server/testing/server-process.ts';

/** Whole processes start here, on machines that may be busy. */
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });
const soon = { timeout: 60_000, interval: 10 };
let folder: string;
let administrator: { phoneOrEmail: string; password: string };

beforeAll(async () => {
  ({ folder, administrator } = await createUsedFolder());
});
afterAll(cleanUp);

describe('stopping', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s lets the request under way finish, stops PostgreSQL, and leaves with 0',
    async (signal) => {
      const server = await startServer(folder, patient);
      const idle = new HttpClient(server.port);
      expect((await idle.send('GET', '/api/health/ready')).status).toBe(200);
      const request = await beginSignIn(server.port, administrator);
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

  test('a second signal changes nothing', async () => {
    const server = await startServer(folder, patient);
    const request = await beginSignIn(server.port, administrator);
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
    await beginSignIn(server.port, administrator);
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
