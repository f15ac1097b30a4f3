import { chmodSync, chownSync, existsSync, mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import { DatabaseClient, sqlState } from '#server/database/connect.ts';
import { CannotStart } from '#server/process/cannot-start.ts';
import { requireFolder } from '#server/process/folders.ts';
import { readOrMakeSecret } from '#server/process/secret-file.ts';
import { chooseHome, databaseIn, findHome, hasDatabase, recordHome } from './data-folder.ts';
import { holdLock } from './instance-lock.ts';
import {
  type Cluster,
  chooseAddress,
  findPostmaster,
  isPostmaster,
  removeSocketFolder,
  socketIn,
  startPostmaster,
  stopPostmaster,
} from './postmaster.ts';
import { chooseAccount, findPrograms, runProgram } from './programs.ts';
import { type Supervision, supervise } from './supervise.ts';

export interface EmbeddedDatabase {
  /** Where the database, and everything else of this data folder, lies. */
  home: string;
  /** Connection settings of the application's own role, which is no superuser. */
  config: pg.ClientConfig;
  /** The role that may create databases; for tests. */
  superuser: pg.ClientConfig;
  /** Starts PostgreSQL again whenever it is gone; `giveUp` hears when it does not come back. */
  keepUp(log: { error(details: object, message: string): void }, giveUp: (reason: unknown) => void): void;
  /** Stops PostgreSQL cleanly and lets the data folder go. */
  stop(): Promise<void>;
}

const role = 'guichet';
const superuserPasswordIn = (home: string) => path.join(home, 'postgres-password');
const passwordIn = (home: string) => path.join(home, 'database-password');

/**
 * Starts the PostgreSQL that comes with the product on `dataDir`, creating it the first time. A server that outlived a
 * killed instance is adopted. `postmaster.pid` is never touched: PostgreSQL judges itself whether it is stale. Throws
 * `CannotStart`, and leaves no PostgreSQL running then.
 */
export async function startEmbeddedDatabase(dataDir: string, connections?: number): Promise<EmbeddedDatabase> {
  const folder = requireFolder('DATA_DIR', dataDir);
  const locks = [holdLock(folder)];
  const release = () => {
    for (const lock of locks) lock.release();
  };
  try {
    const account = chooseAccount();
    const home = chooseHome(folder, account);
    if (home !== folder) locks.push(holdLock(home));
    const cluster: Cluster = {
      account,
      programs: await findPrograms(account),
      dataFolder: databaseIn(home),
      connections,
    };
    if (!hasDatabase(home)) await initialize(cluster, home);
    recordHome(folder, home);
    return await open(cluster, home, release);
  } catch (error) {
    release();
    throw error;
  }
}

async function open(cluster: Cluster, home: string, release: () => void): Promise<EmbeddedDatabase> {
  const superuserPassword = readOrMakeSecret(superuserPasswordIn(home));
  const password = readOrMakeSecret(passwordIn(home));
  let postmaster = await startOrAdopt(cluster);
  const { host, port } = postmaster;
  const close = async () => {
    await stopPostmaster(cluster);
    removeSocketFolder(host);
  };
  const superuser: pg.ClientConfig = {
    host,
    port,
    user: 'postgres',
    password: superuserPassword,
    database: 'postgres',
  };
  await ensureRole(superuser, password).catch(async (cause: unknown) => {
    await close();
    const { message } = cause as Error;
    throw new CannotStart(
      sqlState(cause) === '28P01'
        ? `PostgreSQL refuse le mot de passe du fichier ${superuserPasswordIn(home)} : rétablissez-le.`
        : `La base de données du dossier ${home} ne peut pas être utilisée : ${message}.`,
      { cause },
    );
  });
  let supervision: Supervision | undefined;
  return {
    home,
    config: { host, port, user: role, password, database: role },
    superuser,
    keepUp(log, giveUp) {
      supervision = supervise({
        isThere: () => isPostmaster(postmaster.pid, cluster.dataFolder) && existsSync(socketIn(postmaster)),
        async start(signal) {
          // One that has lost its socket is as good as gone.
          if (findPostmaster(cluster)?.ready) await stopPostmaster(cluster);
          postmaster = await startPostmaster(cluster, { host, port }, signal);
        },
        log,
        giveUp,
      });
    },
    async stop() {
      await supervision?.stop();
      await close();
      release();
    },
  };
}

/**
 * The database of a data folder, for a command that may run beside the product: reached where its PostgreSQL runs already, and
 * left alone by `stop` then; else started. Throws `CannotStart` where there is none yet.
 */
export async function openEmbeddedDatabase(
  dataDir: string,
): Promise<Pick<EmbeddedDatabase, 'home' | 'config' | 'stop'>> {
  const folder = existsSync(dataDir) ? realpathSync(dataDir) : dataDir;
  const home = findHome(folder);
  if (!existsSync(superuserPasswordIn(home))) throw new CannotStart(`Il n'y a pas de base de données dans ${dataDir}.`);
  const running = findPostmaster({ dataFolder: databaseIn(home) });
  if (!running || !existsSync(passwordIn(home))) return startEmbeddedDatabase(dataDir);
  const { host, port } = running;
  const password = readOrMakeSecret(passwordIn(home));
  return { home, config: { host, port, user: role, password, database: role }, async stop() {} };
}

/** Makes the database under another name first: what a killed first start left half made is begun anew. */
async function initialize({ account, programs }: Cluster, home: string): Promise<void> {
  const unfinished = path.join(home, 'postgres.unfinished');
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished);
  chmodSync(unfinished, 0o700);
  if (account) chownSync(unfinished, account.uid, account.gid);
  // Of one name, so that what a killed first start left of it goes too.
  const passwordFile = path.join(home, 'initdb-password');
  writeFileSync(passwordFile, readOrMakeSecret(superuserPasswordIn(home)), { mode: 0o600 });
  if (account) chownSync(passwordFile, account.uid, account.gid);
  const encoding = ['-E', 'UTF8', '--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'];
  try {
    await runProgram(
      programs.initdb,
      ['-D', unfinished, '-U', 'postgres', '--pwfile', passwordFile, '--auth', 'scram-sha-256', ...encoding],
      account,
    );
    renameSync(unfinished, databaseIn(home));
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/** A PostgreSQL that runs already, if it can be reached; else a new one. What does not start leaves nothing behind. */
async function startOrAdopt(cluster: Cluster) {
  const running = findPostmaster(cluster);
  if (running) {
    const adopted = await startPostmaster(cluster, running);
    if (existsSync(socketIn(adopted))) return adopted;
    // It listens where we cannot see: a service has a temporary folder of its own.
    await stopPostmaster(cluster);
  }
  const address = chooseAddress(cluster);
  try {
    return await startPostmaster(cluster, address);
  } catch (error) {
    removeSocketFolder(address.host);
    throw error;
  }
}

/** The application's role, its password, and its database. */
async function ensureRole(superuser: pg.ClientConfig, password: string): Promise<void> {
  const client: pg.Client = new DatabaseClient(superuser);
  await client.connect();
  try {
    const known = await client.query('select 1 from pg_roles where rolname = $1', [role]);
    const verb = known.rows.length > 0 ? 'alter' : 'create';
    await client.query(`${verb} role ${role} login password ${client.escapeLiteral(password)}`);
    const { rows } = await client.query('select 1 from pg_database where datname = $1', [role]);
    if (rows.length === 0) await client.query(`create database ${role} owner ${role}`);
  } finally {
    await client.end();
  }
}
