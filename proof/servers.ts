import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chownSync, existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type pg from 'pg';
import { askOn } from '../server/testing/empty-place.ts';
import { eventually } from '../server/testing/eventually.ts';
import { Filer, prepareOrder, signUp } from '../server/testing/filing.ts';
import {
  cleanUp,
  createDataFolder,
  findFreePort,
  HttpClient,
  readAdministrator,
  type ServerProcess,
  startServer,
} from '../server/testing/server-process.ts';

const programs = '/usr/lib/postgresql/15/bin';
const [pgbouncer, haproxy] = ['/usr/sbin/pgbouncer', '/usr/sbin/haproxy'];
const password = 'mot-de-passe-du-test';
const running: ChildProcess[] = [];

/** Throws a sentence where Debian's packages are not installed. */
export function requireServers(): void {
  const absent = [`${programs}/initdb`, pgbouncer, haproxy].filter((program) => !existsSync(program));
  if (absent.length > 0)
    throw new Error(
      `Il manque ${absent.join(', ')} : apt-get install --no-install-recommends postgresql-15 pgbouncer haproxy.`,
    );
}

/** PostgreSQL and pgbouncer refuse root. */
function account(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const number = (what: string) => Number(execFileSync('id', [what, 'postgres'], { encoding: 'utf8' }));
  return { uid: number('-u'), gid: number('-g') };
}

function own(file: string): string {
  const { uid, gid } = account();
  if (uid !== undefined && gid !== undefined) chownSync(file, uid, gid);
  return file;
}

/** A folder that PostgreSQL's account may write to; `endServers` removes it. */
const ownFolder = () => own(createDataFolder());

function writeOwn(name: string, text: string): string {
  const file = path.join(ownFolder(), name);
  writeFileSync(file, text, { mode: 0o600 });
  return own(file);
}

function launch(program: string, args: string[]): ChildProcess {
  const child = spawn(program, args, { stdio: 'ignore', ...account() });
  running.push(child);
  return child;
}

/** Ends a server, and answers when it has ended. */
export async function endServer(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

/** Ends everything, the newest first. */
export async function endServers(): Promise<void> {
  for (const child of running.splice(0).reverse()) await endServer(child, 'SIGINT');
  await cleanUp();
}

export const urlOf = (database: string, port: number) =>
  `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;

/** Asks as the superuser. */
export const ask = <Row extends pg.QueryResultRow>(port: number, database: string, sql: string): Promise<Row[]> =>
  askOn<Row>({ connectionString: urlOf(database, port) }, sql);

export interface Postgres {
  port: number;
  child: ChildProcess;
}

async function startPostgres(data: string, port: number): Promise<Postgres> {
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories='];
  const child = launch(`${programs}/postgres`, ['-D', data, ...settings.flatMap((each) => ['-c', each])]);
  await eventually(() => ask(port, 'postgres', 'select 1'));
  return { port, child };
}

/** A new PostgreSQL 15 at a port. */
export async function createPostgres(port: number): Promise<Postgres> {
  const data = path.join(ownFolder(), 'data');
  const secret = writeOwn('password', password);
  const options = ['-D', data, '-U', 'postgres', '-A', 'scram-sha-256', '--pwfile', secret];
  execFileSync(`${programs}/initdb`, [...options, '-E', 'UTF8', '--locale', 'C.UTF-8'], { cwd: '/', ...account() });
  return startPostgres(data, port);
}

/** A copy at a port of its own that follows a PostgreSQL; from then on a commit is confirmed when both have it. */
export async function createStandby({ port: from }: Postgres, port: number): Promise<Postgres> {
  const data = path.join(ownFolder(), 'data');
  const options = ['-h', '127.0.0.1', '-p', String(from), '-U', 'postgres', '-R', '-X', 'stream', '-c', 'fast'];
  const env = { PGPASSWORD: password };
  await promisify(execFile)(`${programs}/pg_basebackup`, [...options, '-D', data], { env, ...account() });
  // Once promoted it is alone.
  appendFileSync(path.join(data, 'postgresql.auto.conf'), "synchronous_standby_names = ''\n");
  const standby = await startPostgres(data, port);
  await ask(from, 'postgres', "alter system set synchronous_standby_names = '*'");
  await ask(from, 'postgres', 'select pg_reload_conf()');
  await eventually(async () => {
    const [found] = await ask(from, 'postgres', "select 1 from pg_stat_replication where sync_state = 'sync'");
    if (!found) throw new Error('it does not follow yet');
  });
  return standby;
}

/** pgbouncer in transaction mode before a PostgreSQL; answers its port. */
export async function startPooler(before: Postgres): Promise<number> {
  const port = await findFreePort();
  const users = writeOwn('users.txt', `"postgres" "${password}"\n`);
  const file = writeOwn(
    'pgbouncer.ini',
    `[databases]
* = host=127.0.0.1 port=${before.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
max_client_conn = 200
default_pool_size = 12
server_login_retry = 1
`,
  );
  launch(pgbouncer, [file]);
  await eventually(() => ask(port, 'postgres', 'select 1'));
  return port;
}

/** HAProxy before processes of the product; answers its port. */
const startHttpProxy = (ports: readonly number[]) =>
  startProxy((port) => [
    'listen product',
    '  mode http',
    `  bind 127.0.0.1:${port}`,
    '  option httpchk GET /api/health/ready',
    '  option redispatch',
    '  default-server inter 500 fall 2 rise 1',
    `  http-error status 503 content-type application/json string '{"code":"BUSY"}'`,
    ...ports.map((each) => `  server process-${each} 127.0.0.1:${each} check`),
  ]);

/** HAProxy before two PostgreSQL, to the one whose `checks` port answers 200, as Patroni's does on a primary; answers its port. */
export const startDatabaseProxy = (servers: readonly { port: number; checks: number }[]) =>
  startProxy((port) => [
    'listen postgresql',
    '  mode tcp',
    `  bind 127.0.0.1:${port}`,
    '  option httpchk OPTIONS /primary',
    '  default-server inter 500 fall 2 rise 1 on-marked-down shutdown-sessions',
    ...servers.map((each) => `  server postgres-${each.port} 127.0.0.1:${each.port} check port ${each.checks}`),
  ]);

async function startProxy(section: (port: number) => string[]): Promise<number> {
  const port = await findFreePort();
  const defaults = ['defaults', '  timeout connect 2s', '  timeout client 30m', '  timeout server 30m', '  retries 3'];
  launch(haproxy, ['-db', '-f', writeOwn('haproxy.cfg', [...defaults, ...section(port), ''].join('\n'))]);
  return port;
}

/** Two processes of the product, started at once on a database, HAProxy before them, and people who order through it. */
export async function openShop(database: string, people: number) {
  const folders = [createDataFolder(), createDataFolder()];
  const settings = {
    DATABASE_URL: database,
    SESSION_SECRET: 'un secret partagé, assez long pour cela',
    STOP_DELAY_SECONDS: '3',
    RATE_LIMITS: 'off',
  };
  const processes = await Promise.all(folders.map((folder) => startServer(folder, settings)));
  const proxy = await startHttpProxy(processes.map(({ port }) => port));
  const [admin, administrator] = [new HttpClient(proxy), await readAdministrator(...processes)];
  await eventually(async () => {
    const { status } = await admin.send('POST', '/api/auth/signin', administrator);
    if (status !== 200) throw new Error(`signing in is answered ${status}`);
  });
  const order = await prepareOrder(admin);
  const signUpFiler = async (_: unknown, index: number) =>
    new Filer(await signUp(proxy, `+2267010000${index}`, folders), order);
  return {
    admin,
    processes,
    filers: await Promise.all(Array.from({ length: people }, signUpFiler)),
    /** Ends a process, and starts another one in its place; answers how it ended. */
    async restart(index: number, signal: 'SIGTERM' | 'SIGKILL') {
      const ended = processes[index] as ServerProcess;
      const exit = await ended.end(signal);
      processes[index] = await startServer(folders[index] as string, { ...settings, PORT: String(ended.port) });
      return exit;
    },
  };
}
