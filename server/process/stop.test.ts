import { chmodSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '#server/testing/eventually.ts';
import { expectNothingLost, type Filer, listAllTickets, prepareFilers, untilFiled } from '#server/testing/filing.ts';
import { beginPoll, beginSignIn, listens } from '#server/testing/open-requests.ts';
import {
  callAsAdministrator,
  cleanUp,
  createDataFolder,
  findFreePort,
  HttpClient,
  otherLimits,
  postgresFolder,
  postgresPid,
  readAdministrator,
  type ServerProcess,
  slowStop,
  startServer,
  untilPostgresIsNew,
} from '#server/testing/server-process.ts';

let folder: string;
let port: number;
let administrator: { phoneOrEmail: string; password: string };
let server: ServerProcess;
let admin: HttpClient;
let filers: Filer[];

const start = (settings = {}) => startServer(folder, { PORT: `${port}`, RATE_LIMITS: 'off', ...settings });

beforeAll(async () => {
  folder = createDataFolder();
  port = await findFreePort();
  server = await start();
  administrator = await readAdministrator(server);
  admin = await callAsAdministrator(server);
  const phones = Array.from({ length: 4 }, (_, index) => `+2267010000${index}`);
  filers = await prepareFilers(admin, { port, folder, phones });
});
afterAll(cleanUp);
// Some of the tests end it.
beforeEach(async () => {
  if (await listens(port)) return;
  server = await start();
});

test('kill -9 of the process under load loses no acknowledged ticket, and the next start adopts its PostgreSQL', async () => {
  const load = filers.map((filer) => filer.fileUntil({ now: false }));
  await untilFiled(filers, 20);
  const pid = postgresPid(folder);
  expect((await server.end('SIGKILL')).code).toBeNull();
  await Promise.all(load);
  server = await start();
  expect(postgresPid(folder)).toBe(pid);
  await expectNothingLost(admin, folder, filers);
  // Asked again under its key, a request that was cut off gives one ticket, new or found.
  await Promise.all(filers.map((filer) => filer.file()));
  const acknowledged = filers.flatMap((filer) => filer.acknowledged);
  expect(new Set(await listAllTickets(admin))).toEqual(new Set(acknowledged));
});

test('kill -9 of PostgreSQL under load loses nothing: it is started again, and meanwhile calls are refused with BUSY', async () => {
  const stop = { now: false };
  const load = filers.map((filer) => filer.fileUntil(stop));
  await untilFiled(filers, 20);
  const pid = postgresPid(folder) as number;
  process.kill(pid, 'SIGKILL');
  await eventually(async () => {
    const refused = await fetch(`http://127.0.0.1:${port}/api/health/ready`);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await refused.json()).toMatchObject({ code: 'BUSY' });
  });
  await untilPostgresIsNew(folder, pid);
  await untilFiled(filers, 3 * filers.length);
  stop.now = true;
  await Promise.all(load);
  await expectNothingLost(admin, folder, filers);
  expect([...new Set(filers.flatMap((filer) => filer.refusals))]).toEqual([503]);
});

test('SIGTERM, even twice, lets the request under way finish, refuses polls that memory knows, and stops PostgreSQL', async () => {
  const url = '/api/payment-types';
  expect((await new HttpClient(port).send('GET', url)).status).toBe(200);
  const poll = await beginPoll(port, url);
  expect(poll.first).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  const request = await beginSignIn(port, administrator);
  const ended = server.end('SIGTERM');
  await eventually(async () => expect(await listens(port)).toBe(false));
  process.kill(server.pid, 'SIGTERM');
  const [polled, answered] = [await poll.finish(), await request.finish()];
  expect(polled).toMatch(/^HTTP\/1\.1 503 /);
  expect(answered).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(answered).toContain('guichet_session=');
  for (const answer of [polled, answered]) expect(answer).toMatch(/\r\nconnection: close\r\n/i);
  expect(await ended).toMatchObject({ code: 0, stderr: '' });
  expect(postgresPid(folder)).toBeUndefined();
});

test('an error that nobody catches is logged without what it tells of people, and the process stops in order, with code 1', async () => {
  const program = `process.on('SIGUSR2', () => { Promise.reject(new Error('nobody waits for +22670123456')); });`;
  expect((await server.end('SIGTERM')).code).toBe(0);
  const failing = await start({
    NODE_OPTIONS: `${slowStop.NODE_OPTIONS} --import=data:text/javascript,${encodeURIComponent(program)}`,
  });
  // A request that never comes to its end keeps neither the process nor PostgreSQL.
  await beginSignIn(port, administrator);
  process.kill(failing.pid, 'SIGUSR2');
  const { code, stdout, stderr } = await failing.exited;
  expect([code, stderr]).toEqual([1, '']);
  expect(stdout).toContain('"level":60');
  expect(stdout).toContain('nobody waits for +226…56');
  expect(stdout).not.toContain('70123456');
  expect(postgresPid(folder)).toBeUndefined();
});

test('where PostgreSQL never comes back, the process says why and ends', async () => {
  expect((await server.end('SIGTERM')).code).toBe(0);
  // Its own limit would have it try for a minute.
  const ending = await start(otherLimits({ 'database/limits.ts': { supervisionLimits: { giveUpMs: 500 } } }));
  const journal = path.join(postgresFolder(folder), 'pg_wal');
  chmodSync(journal, 0);
  process.kill(postgresPid(folder) as number, 'SIGKILL');
  const { code, stderr } = await ending.exited;
  chmodSync(journal, 0o700);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^PostgreSQL ne revient pas \(PostgreSQL ne peut pas lire .* : lancez « chown .*\) : Guichet s'arrête\.$/m,
  );
});
