import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backUp, type MadeBackup } from '../server/backup/back-up.ts';
import { restore } from '../server/backup/restore.ts';
import { prune } from '../server/cache/change-feed.ts';
import { connect } from '../server/database/connect.ts';
import { startEmbeddedDatabase } from '../server/database/embedded/embedded-database.ts';
import { int } from '../server/database/row-kinds.ts';
import { none, type Query, statement } from '../server/database/statement.ts';
import { FinalStatements } from '../server/database/transaction.ts';
import { eventually } from '../server/testing/eventually.ts';
import { Filer, listAllTickets, prepareOrder, signUp } from '../server/testing/filing.ts';
import { type Pooler, pgbouncer, startPooler } from '../server/testing/pooler.ts';
import {
  cleanUp,
  createDataFolder,
  findFreePort,
  HttpClient,
  readAdministrator,
  runServer,
  startServer,
} from '../server/testing/server-process.ts';
import { watchFeed } from '../server/testing/watched-feed.ts';

const programs = '/usr/lib/postgresql/15/bin';
const password = 'mot-de-passe-du-test';

let folder: string;
let port: number;
let pooler: Pooler;
const running: ChildProcess[] = [];

/** PostgreSQL refuses root. */
const account = () => {
  if (process.getuid?.() !== 0) return {};
  const number = (what: string) => Number(execFileSync('id', [what, 'postgres'], { encoding: 'utf8' }));
  return { uid: number('-u'), gid: number('-g') };
};

async function launch(program: string, args: string[], at: number): Promise<void> {
  const child = spawn(program, args, { cwd: folder, stdio: 'ignore', ...account() });
  running.push(child);
  const client = () => new pg.Client({ host: '127.0.0.1', port: at, user: 'postgres', password, database: 'postgres' });
  await eventually(async () => {
    const each = client();
    await each.connect();
    await each.end();
  });
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
  port = await findFreePort();
  const passwordFile = path.join(folder, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (uid !== undefined && gid !== undefined) chownSync(passwordFile, uid, gid);
  const data = path.join(folder, 'data');
  const initialize = ['-D', data, '-U', 'postgres', '-A', 'scram-sha-256', '--pwfile', passwordFile];
  execFileSync(`${programs}/initdb`, [...initialize, '-E', 'UTF8', '--locale', 'C.UTF-8'], {
    cwd: folder,
    ...account(),
  });
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_prepared_transactions=1',
  ].flatMap((each) => ['-c', each]);
  await launch(`${programs}/postgres`, ['-D', data, ...settings], port);
  pooler = await startPooler({ host: '127.0.0.1', port, user: 'postgres', password });
});

afterAll(async () => {
  await cleanUp();
  await pooler?.stop();
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

test('pgbouncer in transaction mode before it: the same', () => startTwo('pooled', pooler.port));

test('a backup goes from PostgreSQL 15 to the embedded one and back, through the pooler, and is the same each time', async () => {
  const changed = ['sms_messages', 'backups'];
  const sumsOf = ({ manifest: { tables } }: MadeBackup) => tables.filter(({ name }) => !changed.includes(name));
  const configOf = (database: string) => ({
    host: '127.0.0.1',
    port: pooler.port,
    user: 'postgres',
    password,
    database,
  });
  const files = createDataFolder();
  const [first = '', second = ''] = ['first', 'second'].map((name) => path.join(files, name));
  const old = await backUp(configOf('direct'), { file: first });
  expect(old.manifest.postgres).toMatch(/^15[.]/);
  expect(old.manifest.tables.find(({ name }) => name === 'tickets')?.rows).toBe(20);
  const embedded = await startEmbeddedDatabase(createDataFolder());
  try {
    await restore({ file: first }, async () => embedded.config);
    const young = await backUp(embedded.config, { file: second });
    expect(young.manifest.postgres).toMatch(/^18[.]/);
    expect(sumsOf(young)).toEqual(sumsOf(old));
  } finally {
    await embedded.stop();
  }
  await ask('postgres', 'create database back');
  await restore({ file: second }, async () => configOf('back'));
  const again = await backUp(configOf('back'), { file: first, force: true });
  expect(sumsOf(again)).toEqual(sumsOf(old));
});

/** One of PostgreSQL's own programs. */
const runProgram = (name: string, ...args: string[]) =>
  promisify(execFile)(path.join(programs, name), ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', ...args], {
    env: { PGPASSWORD: password },
  });

/** A change feed on a database, which looks only when it is told to. */
async function withFeed<T>(url: string, work: (feed: ReturnType<typeof watchFeed>, pool: pg.Pool) => Promise<T>) {
  const connection = connect({ connectionString: url }, () => {});
  const feed = watchFeed(connection, { lookMs: 3_600_000 });
  feed.start();
  try {
    await eventually(() => expect(feed.isLive()).toBe(true));
    return await work(feed, connection.pool);
  } finally {
    await feed.stop();
    await connection.close();
  }
}

test.each([
  { way: 'psql', at: () => port, format: 'plain', back: ['psql', '-q', '-v', 'ON_ERROR_STOP=1', '-1', '-f'] },
  { way: 'psql, behind pgbouncer', at: () => pooler.port, format: 'plain', back: ['psql', '-q', '-1', '-f'] },
  { way: 'pg_restore', at: () => port, format: 'custom', back: ['pg_restore', '-1', '--clean', '--if-exists'] },
])('a dump put back by $way is noticed by the next look', async ({ at, format, back: [program = '', ...options] }) => {
  const readEpoch = () => ask('direct', 'select epoch from change_feed');
  const file = path.join(createDataFolder(), 'dump');
  await withFeed(urlOf('direct', at()), async (feed) => {
    const before = await readEpoch();
    await runProgram('pg_dump', '-d', 'direct', '--clean', '--if-exists', '-F', format, '-f', file);
    await feed.catchUp();
    expect(feed.heard).toEqual([]);
    await runProgram(program, '-d', 'direct', ...options, file);
    expect(await readEpoch()).toEqual(before);
    await feed.catchUp();
    expect(feed.heard).toEqual(['everything']);
  });
});

test('a transaction that is prepared and left holds back no pruning, and its changes are heard at its end', async () => {
  const announce = (topic: string) => ask('direct', `insert into changes (topic) values ('${topic}')`);
  const list = () => ask('direct', "select topic from changes where topic like 'at the %'");
  await ask('direct', "begin; insert into changes (topic) values ('at the end'); prepare transaction 'left'");
  await withFeed(urlOf('direct', port), async (feed, pool) => {
    await announce('at the beginning');
    const { rows } = await pool.query<{ now: string }>('select pg_current_snapshot()::text as now');
    await announce('passing by');
    await feed.catchUp();
    await prune(pool, rows[0]?.now ?? '');
    expect(await list()).toEqual([]);
    await ask('direct', "commit prepared 'left'");
    await feed.catchUp();
    expect(feed.heard.filter((topic) => topic !== 'passing by')).toEqual(['at the beginning', 'at the end']);
    expect(await list()).toEqual([{ topic: 'at the end' }]);
  });
});

const divide = statement({ value: int })('select 12 / $1::int as value');
const keep = statement(none)('insert into kept values ($1)');
const die = statement(none)('select pg_terminate_backend(pg_backend_pid())');
const countPrepared = statement({ count: int })(
  `select count(*)::int as count from pg_prepared_statements where name like 'guichet-%'`,
);

test.each([
  { way: 'directly', database: 'together_direct', at: () => port, prepared: true },
  { way: 'behind pgbouncer', database: 'together_pooled', at: () => pooler.port, prepared: false },
])('what goes out together is done together or not at all $way', async ({ database, at, prepared }) => {
  await ask('postgres', `create database ${database}`);
  await ask(database, 'create table kept (value int not null)');
  const connection = connect({ connectionString: urlOf(database, at()) }, () => {});
  const keepQuotient = (by: number, ...last: Query<unknown>[]) =>
    connection.db.transaction(async (tx) => {
      const [[first], [second]] = await tx.ask(divide(by), divide(12));
      return new FinalStatements([keep((first?.value ?? 0) + (second?.value ?? 0)), ...last], () => 'kept');
    });
  try {
    // More transactions than there are connections, here or in the pooler, of which every third fails in its first half,
    // every third in its second, some by the end of their connection.
    const outcomes = await Promise.allSettled(
      Array.from({ length: 90 }, (_, index) => {
        if (index % 3 === 0) return keepQuotient(0);
        if (index % 3 === 1) return keepQuotient(1, index % 30 === 1 ? die() : divide(0), keep(0));
        return keepQuotient(6);
      }),
    );
    const isKept = ({ status }: { status: string }) => status === 'fulfilled';
    expect(outcomes.map(isKept)).toEqual(outcomes.map((_, index) => index % 3 === 2));
    expect(await ask(database, 'select value, count(*)::int from kept group by 1')).toEqual([{ value: 3, count: 30 }]);
    // Each connection is good for the next one, also for the same statements.
    const again = await Promise.all(outcomes.map(() => keepQuotient(6)));
    expect(again).toEqual(outcomes.map(() => 'kept'));
    // Outside of a transaction each is one of its own, which a pooler may give to another server.
    const alone = await Promise.allSettled(again.map(() => connection.db.ask(keep(8), divide(0), keep(9), divide(1))));
    expect(alone.some(isKept)).toBe(false);
    expect(await ask(database, 'select value, count(*)::int from kept where value > 3 group by 1 order by 1')).toEqual([
      { value: 8, count: 90 },
      { value: 9, count: 90 },
    ]);
    const [, [found]] = await connection.db.transaction((tx) => tx.ask(divide(1), countPrepared()));
    expect((found?.count ?? 0) > 0).toBe(prepared);
  } finally {
    await connection.close();
  }
});

test('pgbouncer passes on why a database cannot be used', async () => {
  const refusalOf = async (url: string) => {
    const exit = await runServer({ DATABASE_URL: url, DATA_DIR: createDataFolder(), PORT: '0' });
    expect(exit).toMatchObject({ code: 1, stdout: '' });
    return exit.stderr;
  };
  expect(await refusalOf(urlOf('absente', pooler.port))).toContain('« absente »');
  expect(await refusalOf(urlOf('pooled', pooler.port).replace(password, 'secret-faux'))).toContain(
    'mot de passe refusé',
  );
});
