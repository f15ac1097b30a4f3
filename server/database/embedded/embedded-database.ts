import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import { PrimaryOnlyClient } from '#server/database/clients.ts';
import { CannotStart } from '#server/process/cannot-start.ts';
import { databaseLimits } from '#server/process/limits.ts';
import { readOrMakeSecret } from '#server/process/secret-file.ts';
import { chooseDataDirectory, databaseIn, findHome, hasDatabase, makeDataFolder, recordHome } from './data-folder.ts';
import { holdLock } from './instance-lock.ts';
import {
  type Cluster,
  findPostmaster,
  isPostmaster,
  shortenServerLog,
  startPostmaster,
  stopPostmaster,
} from './postmaster.ts';
import { canReach, chooseAccount, copyPrograms, findPrograms, runProgram } from './programs.ts';
import { keepSocketFolder, removeSocketFolder, settleSocketFolder, socketIn } from './socket-folder.ts';
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
 * killed instance is adopted. `postmaster.pid` is never touched: PostgreSQL judges itself whether it is stale.
 */
export async function startEmbeddedDatabase(dataDir: string, connections?: number): Promise<EmbeddedDatabase> {
  const folder = makeDataFolder(dataDir);
  const locks = [await holdLock(folder)];
  const release = () => {
    for (const lock of locks) lock.release();
  };
  try {
    const account = chooseAccount();
    const own = await findPrograms();
    const programs = canReach(account, own.postgres) ? own : copyPrograms(own);
    const clusterOf = (home: string): Cluster => ({ account, programs, dataFolder: databaseIn(home), connections });
    const home = await chooseDataDirectory(folder, {
      account,
      reaches: (file) => canReach(account, file),
      stopDatabase: (of) => stopPostmaster(clusterOf(of)),
    });
    if (home !== folder) locks.push(await holdLock(home));
    const cluster = clusterOf(home);
    if (!hasDatabase(home)) {
      await initialize(cluster, home);
      recordHome(folder, home);
    }
    const postmaster = await startOrAdopt(cluster, home);
    const { host, port } = postmaster;
    const superuser: pg.ClientConfig = {
      host,
      port,
      user: 'postgres',
      password: readOrMakeSecret(superuserPasswordIn(home)),
      database: 'postgres',
    };
    const password = readOrMakeSecret(passwordIn(home));
    await ensureRole(superuser, password);

    let { pid } = postmaster;
    let supervision: Supervision | undefined;
    return {
      home,
      config: { host, port, user: role, password, database: role },
      superuser,
      keepUp(log, giveUp) {
        supervision = supervise({
          isThere() {
            shortenServerLog(cluster.dataFolder);
            // A server whose socket was swept out of the temporary folder is as good as gone.
            return isPostmaster(pid, cluster.dataFolder) && existsSync(socketIn(host, port));
          },
          async start(signal) {
            // A server that another process just started is waited for; its socket comes first.
            const deaf = findPostmaster(cluster)?.ready && !existsSync(socketIn(host, port));
            if (deaf) await stopPostmaster(cluster);
            keepSocketFolder(host, account);
            ({ pid } = await startPostmaster(cluster, { host, port }, signal));
          },
          log,
          giveUp,
        });
      },
      async stop() {
        await supervision?.stop();
        await stopPostmaster(cluster);
        removeSocketFolder(host, port);
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
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
  requireRoom(home);
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

/** What initdb says of a full disk is not always that it is full. */
function requireRoom(home: string): void {
  const { bavail, bsize } = statfsSync(home);
  const free = Math.floor((bavail * bsize) / 2 ** 20);
  if (free < databaseLimits.newDatabaseMegabytes)
    throw new CannotStart(
      `Le disque de ${home} n'a que ${free} Mo de libres, et une base de données neuve en demande ${databaseLimits.newDatabaseMegabytes} : faites de la place, ou donnez un autre dossier par DATA_DIR.`,
    );
}

/** Listens on a Unix socket in a private folder. */
async function startOrAdopt(cluster: Cluster, home: string) {
  const running = findPostmaster(cluster);
  if (running) {
    const adopted = await startPostmaster(cluster, running);
    if (existsSync(socketIn(adopted.host, adopted.port))) return adopted;
    // It listens where we cannot see: a service has a temporary folder of its own.
    await stopPostmaster(cluster);
  }
  const address = { host: settleSocketFolder(home, cluster.account), port: 5432 };
  try {
    return await startPostmaster(cluster, address);
  } catch (error) {
    if (!findPostmaster(cluster)) removeSocketFolder(address.host, address.port);
    throw error;
  }
}

/** The application's role, its password, and its database. */
async function ensureRole(superuser: pg.ClientConfig, password: string): Promise<void> {
  const client = new PrimaryOnlyClient(superuser);
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
