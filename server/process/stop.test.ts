import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  beginPoll,
  beginSignIn,
  createUsedFolder,
  listens,
  patientStop as patient,
} from '#server/testing/open-requests.ts';
import { cleanUp, HttpClient, postgresPid, startServer, untilPostgresIsNew } from '#server/testing/server-process.ts';

/** Whole processes start here, on machines that may be busy. */
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });
const soon = { timeout: 60_000, interval: 10 };

let folder: string;
let administrator: { phoneOrEmail: string; password: string };

beforeAll(async () => {
  ({ folder, administrator } = await createUsedFolder());
});
afterAll(cleanUp);

test('SIGTERM lets the request under way finish, refuses polls that memory knows, ends each connection, and stops PostgreSQL', async () => {
  const server = await startServer(folder, patient);
  const url = '/api/payment-types';
  expect((await new HttpClient(server.port).send('GET', url)).status).toBe(200);
  const poll = await beginPoll(server.port, url);
  expect(poll.first).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  const request = await beginSignIn(server.port, administrator);
  const ended = server.end('SIGTERM');
  await vi.waitFor(async () => expect(await listens(server.port)).toBe(false), soon);
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

test('after kill -9 the next start adopts the PostgreSQL that was left running, and everything is there, also when that is killed', async () => {
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

  process.kill(pid as number, 'SIGKILL');
  await untilPostgresIsNew(folder, pid);
  await vi.waitFor(async () => expect((await client.send('GET', '/api/health/ready')).status).toBe(200), soon);
  expect((await client.send('GET', '/api/payment-types')).body).toEqual(types.body);
  expect((await client.send('POST', '/api/admin/payment-types', { name: 'Après la coupure' })).status).toBe(201);
  expect((await server.end('SIGTERM')).code).toBe(0);
  expect(postgresPid(folder)).toBeUndefined();
});
