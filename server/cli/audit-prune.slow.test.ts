import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { runCommand } from '#server/testing/run-command.ts';
import {
  cleanUp,
  createDataFolder,
  HttpClient,
  postgresPid,
  query,
  startServer,
} from '#server/testing/server-process.ts';
import { startTestApi, type TestApi } from '#server/testing/test-api.ts';

const oldRows = `insert into audit_log (action, status, ip, created_at)
  select 'old', 200, 'x', now() - make_interval(days => n) from generate_series(1, 50) n returning id`;

const prune = (settings: Record<string, string>, ...given: string[]) =>
  runCommand(['audit', 'prune', ...given], { DATABASE_URL: '', ...settings });
const old = (days: string) => ['--older-than-days', days];

let api: TestApi;
let settings: Record<string, string>;
beforeAll(async () => {
  api = await startTestApi();
  const { host, port, user, password } = inject('server');
  const { rows } = await api.pool.query('select current_database() as name');
  const url = new URL(`postgres://localhost:${port}/${rows[0].name}`);
  Object.assign(url, { username: user, password });
  url.searchParams.set('host', host);
  settings = { DATABASE_URL: url.href };
});
afterAll(async () => {
  await api.close();
  await cleanUp();
});

test('it deletes what is older, says how much, and is in the log itself', async () => {
  await api.pool.query(oldRows);
  const trimmed = (rows: string) => ({
    status: 0,
    stdout: `Journal abrégé : ${rows}, de plus de 40 jours.\n`,
    stderr: '',
  });
  expect(await prune(settings, ...old('40'))).toEqual(trimmed('11 lignes effacées'));
  expect(await prune(settings, ...old('40'))).toEqual(trimmed('0 lignes effacées'));
  await api.pool.query("insert into audit_log (action, status, ip, created_at) values ('old', 200, 'x', '2020-01-01')");
  expect(await prune(settings, ...old('40'))).toEqual(trimmed('1 ligne effacée'));
  const { rows } = await api.pool.query('select action, details from audit_log order by id desc limit 3');
  expect(rows.map(({ action, details }) => [action, details.rows])).toEqual([
    ['trim_audit_log', 1],
    ['trim_audit_log', 0],
    ['trim_audit_log', 11],
  ]);
});

test.each([
  [old('29'), '30 au moins'],
  [['400'], "n'est pas compris"],
])('%j is refused in one sentence, and nothing is deleted', async (given, sentence) => {
  const before = (await api.pool.query('select count(*) from audit_log')).rows;
  const { status, stdout, stderr } = await prune(settings, ...given);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr.trim().split('\n')).toEqual([expect.stringContaining(sentence)]);
  expect((await api.pool.query('select count(*) from audit_log')).rows).toEqual(before);
});

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
  const expected = { status: 1, stdout: '', stderr: `Il n'y a pas de base de données dans ${folder}.\n` };
  expect(await prune({ DATA_DIR: folder }, ...old('40'))).toEqual(expected);
  mkdirSync(folder);
  expect(await prune({ DATA_DIR: folder }, ...old('40'))).toEqual(expected);
  expect(readdirSync(folder)).toEqual([]);
});
