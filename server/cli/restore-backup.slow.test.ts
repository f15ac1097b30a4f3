import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { acknowledgedTo, listAllTickets, prepareFilers, untilFiled } from '#server/testing/filing.ts';
import { runCommand } from '#server/testing/run-command.ts';
import {
  cleanUp,
  createDataFolder,
  HttpClient,
  postgresPid,
  readAdministrator,
  startServer,
} from '#server/testing/server-process.ts';
import { createDatabase } from '#server/testing/test-api.ts';

const ends: (() => Promise<void>)[] = [];
afterAll(async () => {
  await cleanUp();
  for (const end of ends) await end();
});

const BACKUP_PASSPHRASE = 'six mots que personne ne devine';

const guichet = (settings: Record<string, string>, ...given: string[]) =>
  runCommand(given, { DATABASE_URL: '', BACKUP_PASSPHRASE, ...settings });

test("from the embedded database to a server of one's own and back, as an operator does it", async () => {
  const [first, second, third, files] = Array.from({ length: 4 }, createDataFolder) as [string, string, string, string];
  const server = await startServer(first, { RATE_LIMITS: 'off' });
  const administrator = await readAdministrator(server);
  const signIn = async (port: number) => {
    const client = new HttpClient(port);
    expect((await client.send('POST', '/api/auth/signin', administrator)).status).toBe(200);
    return client;
  };
  const admin = await signIn(server.port);
  const phones = ['+22670100001', '+22670100002'];
  const filers = await prepareFilers(admin, { port: server.port, folder: first, phones });
  const stop = { now: false };
  const filing = filers.map((filer) => filer.fileUntil(stop));
  await untilFiled(filers, 5);
  const before = acknowledgedTo(filers);
  const file = path.join(files, 'shop.backup');
  const made = await guichet({ DATA_DIR: first }, 'backup', file);
  stop.now = true;
  await Promise.all(filing);
  expect(made).toMatchObject({ status: 0, stderr: '' });
  expect(made.stdout).toContain(`Sauvegarde faite et relue : ${file} (`);
  expect(made.stdout).toContain('Elle est scellée');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file).includes('70100001')).toBe(false);
  expect(filers.flatMap(({ refusals }) => refusals)).toEqual([]);
  const busy = await guichet({ DATA_DIR: first }, 'restore', file);
  expect(busy).toMatchObject({ status: 1, stderr: expect.not.stringContaining('    at ') });
  expect((await server.end('SIGTERM')).code).toBe(0);

  const { config } = await createDatabase();
  const url = new URL(`postgres://localhost:${config.port}/${config.database}`);
  Object.assign(url, { username: config.user, password: config.password });
  url.searchParams.set('host', config.host);
  const elsewhere = { DATA_DIR: second, DATABASE_URL: url.href };
  expect(await guichet(elsewhere, 'restore', file)).toMatchObject({ status: 0, stderr: '' });
  const other = await startServer(second, { DATABASE_URL: url.href });
  const tickets = await listAllTickets(await signIn(other.port));
  expect(before.filter((id) => !tickets.includes(id))).toEqual([]);
  const back = path.join(files, 'back.backup');
  expect(await guichet(elsewhere, 'backup', back)).toMatchObject({ status: 0, stderr: '' });
  expect((await other.end('SIGTERM')).code).toBe(0);

  const restored = await guichet({ DATA_DIR: third }, 'restore', back);
  expect(restored).toMatchObject({ status: 0, stderr: '' });
  expect(restored.stdout).toContain('Restauration faite et vérifiée');
  expect(postgresPid(third)).toBeUndefined();
  const last = await startServer(third);
  expect(last.stdout()).not.toContain('mot de passe');
  expect(await listAllTickets(await signIn(last.port))).toEqual(tickets);
});
