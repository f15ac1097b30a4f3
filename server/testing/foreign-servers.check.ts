import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Filer, listAllTickets, prepareOrder, signUp } from './filing.ts';
import {
  cleanUp,
  createDataFolder,
  findFreePort,
  HttpClient,
  readAdministrator,
  runServer,
  startServer,
} from './server-process.ts';

const programs = '/usr/lib/postgresql/15/bin';
const pgbouncer = '/usr/sbin/pgbouncer';
const password = 'mot-de-passe-du-test';

let folder: string;
let port: number;
let poolerPort: number;
const running: ChildProcess[] = [];

/** PostgreSQL and pgbouncer refuse root. */
const account = () => {
  if (process.getuid?.() !== 0) return {};
  const number = (what: string) => Number(execFileSync('id', [what, 'postgres'], { encoding: 'utf8' }));
  return { uid: number('-u'), gid: number('-g') };
};

async function launch(program: string, args: string[], at: number): Promise<void> {
  const child = spawn(program, args, { cwd: folder, stdio: 'ignore', ...account() });
  running.push(child);
  const client = () => new pg.Client({ host: '127.0.0.1', port: at, user: 'postgres', password, database: 'postgres' });
  await vi.waitFor(
    async () => {
      const each = client();
      await each.connect();
      await each.end();
    },
    { timeout: 20_000, interval: 50 },
  );
}

beforeAll(async () => {
  const absent = [`${programs}/initdb`, pgbouncer].filter((program) => !existsSync(program));
  if (absent.length > 0)
    throw new Error(
      `Il manque ${absent.join(' et ')} : apt-get install --no-install-recommends postgresql-15 pgbouncer.`,
    );
  folder = mkdtempSync(path.join(os.tmpdir(), 'guichet-databases-'));
  const { uid, gid } = account();
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  chmodSync(folder, 0o755);
  [port, poolerPort] = [await findFreePort(), await findFreePort()];
  const files = {
    password,
    'users.txt': `"postgres" "${password}"\n`,
    'pgbouncer.ini': [
      '[databases]',
      `* = host=127.0.0.1 port=${port}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${poolerPort}`,
      'unix_socket_dir =',
      'auth_type = scram-sha-256',
      `auth_file = ${folder}/users.txt`,
      'pool_mode = transaction',
      'max_client_conn = 200',
      'default_pool_size = 8',
    ].join('\n'),
  };
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(path.join(folder, name), text, { mode: 0o600 });
    if (uid !== undefined && gid !== undefined) chownSync(path.join(folder, name), uid, gid);
  }
  const data = path.join(folder, 'data');
  const initialize = ['-D', data, '-U', 'postgres', '-A', 'scram-sha-256', '--pwfile', `${folder}/password`];
  execFileSync(`${programs}/initdb`, [...initialize, '-E', 'UTF8', '--locale', 'C.UTF-8'], {
    cwd: folder,
    ...account(),
  });
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories='].flatMap((each) => [
    '-c',
    each,
  ]);
  await launch(`${programs}/postgres`, ['-D', data, ...settings], port);
  await launch(pgbouncer, [path.join(folder, 'pgbouncer.ini')], poolerPort);
});

afterAll(async () => {
  await cleanUp();
  for (const child of running.reverse()) {
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    await ended;
  }
  if (folder) rmSync(folder, { recursive: true, force: true });
});

async function ask<Row extends pg.QueryResultRow>(database: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', password, database });
  await client.connect();
  return (await client.query<Row>(statement).finally(() => client.end())).rows;
}

const urlOf = (database: string, at: number) => `postgres://postgres:${password}@127.0.0.1:${at}/${database}`;

/** Two servers, started at the same moment on an empty database: both come up, and each files tickets. */
async function startTwo(database: string, at: number): Promise<void> {
  await ask('postgres', `create database ${database}`);
  const folders = [createDataFolder(), createDataFolder()];
  const settings = { DATABASE_URL: urlOf(database, at), SESSION_SECRET: 'un secret partagé, assez long pour cela' };
  const twins = await Promise.all(folders.map((each) => startServer(each, settings)));
  const administrator = await readAdministrator(...twins);
  const [first] = twins;
  const admin = new HttpClient(first?.port ?? 0);
  expect((await admin.send('POST', '/api/auth/signin', administrator)).status).toBe(200);
  const order = await prepareOrder(admin);
  const filers = await Promise.all(
    twins.map(async (twin, index) => new Filer(await signUp(twin.port, `+2267010000${index}`, folders), order)),
  );
  for (let round = 0; round < 10; round += 1) await Promise.all(filers.map((filer) => filer.file()));
  expect(filers.flatMap((filer) => filer.refusals)).toEqual([]);
  const filed = filers.flatMap((filer) => filer.acknowledged);
  expect(filed).toHaveLength(20);
  expect(new Set(await listAllTickets(admin))).toEqual(new Set(filed));

  // A third comes up beside them, and nobody keeps a lock that would have it wait.
  const third = await startServer(createDataFolder(), settings);
  const exits = await Promise.all([...twins, third].map((each) => each.end('SIGTERM')));
  expect(exits.map(({ code, stderr }) => [code, stderr])).toEqual(Array(3).fill([0, '']));
  expect(await ask(database, "select 1 from pg_locks where locktype = 'advisory'")).toEqual([]);
  const limits = await ask<{ setting: string }>(
    database,
    "select setting from pg_settings where name = 'statement_timeout'",
  );
  expect(limits).toEqual([{ setting: '5000' }]);
}

test('PostgreSQL 15: two servers started at once both come up and file tickets', () => startTwo('direct', port));

test('pgbouncer in transaction mode before it: the same', () => startTwo('pooled', poolerPort));

test('pgbouncer passes on why a database cannot be used', async () => {
  const refusalOf = async (url: string) => {
    const exit = await runServer({ DATABASE_URL: url, DATA_DIR: createDataFolder(), PORT: '0' });
    expect(exit).toMatchObject({ code: 1, stdout: '' });
    return exit.stderr;
  };
  expect(await refusalOf(urlOf('absente', poolerPort))).toContain('« absente »');
  expect(await refusalOf(urlOf('pooled', poolerPort).replace(password, 'secret-faux'))).toContain(
    'mot de passe refusé',
  );
});
