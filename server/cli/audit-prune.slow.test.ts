import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { runCommand } from '#server/testing/run-command.ts';
import {
  cleanUp,
  createDataFolder,
  HttpClient,
  postgresPid,
  query,
  startServer,
} from '#server/testing/server-process.ts';

/** Whole processes start here, on machines that may be busy. */
vi.setConfig({ testTimeout: 60_000 });

const oldRows = `insert into audit_log (action, status, ip, created_at)
  select 'old', 200, 'x', now() - make_interval(days => n) from generate_series(1, 50) n returning id`;

const prune = (settings: Record<string, string>, ...given: string[]) =>
  runCommand(['audit', 'prune', ...given], { DATABASE_URL: '', ...settings });
const old = (days: string) => ['--older-than-days', days];

afterAll(cleanUp);

test('it works beside the running product, and then without it, and stops what it started alone', async () => {
  const folder = createDataFolder();
  const server = await startServer(folder);
  const pid = postgresPid(folder);
  await query(folder, oldRows);
  expect(await prune({ DATA_DIR: folder }, ...old('45'))).toMatchObject({
    status: 0,
    stdout: 'Journal abrégé : 6 lignes effacées, de plus de 45 jours.\n',
  });
  expect(postgresPid(folder)).toBe(pid);
  expect((await new HttpClient(server.port).send('GET', '/api/health/ready')).status).toBe(200);
  expect((await server.end('SIGTERM')).code).toBe(0);

  expect(await prune({ DATA_DIR: folder }, ...old('40'))).toMatchObject({
    status: 0,
    stdout: 'Journal abrégé : 5 lignes effacées, de plus de 40 jours.\n',
  });
  expect(postgresPid(folder)).toBeUndefined();
  expect((await (await startServer(folder)).end('SIGTERM')).code).toBe(0);
});

test('it makes none where there is none', async () => {
  const folder = path.join(createDataFolder(), 'data');
  const expected = { status: 1, stdout: '', stderr: `Il n’y a pas de base de données dans ${folder}.\n` };
  expect(await prune({ DATA_DIR: folder }, ...old('40'))).toEqual(expected);
  mkdirSync(folder);
  expect(await prune({ DATA_DIR: folder }, ...old('40'))).toEqual(expected);
  expect(readdirSync(folder)).toEqual([]);
});
