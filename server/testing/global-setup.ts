import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statfsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { findHome } from '#server/database/embedded/data-folder.ts';
import { startEmbeddedDatabase } from '#server/database/embedded/embedded-database.ts';
import { migrate } from '#server/database/migrate.ts';

export interface TestServer {
  host: string;
  port: number;
  user: string;
  password: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    server: TestServer;
    propertySeed: number;
  }
}

/** What the values of properties are made from; another one, by `PROPERTY_SEED`, looks elsewhere. */
const propertySeed = Number(process.env.PROPERTY_SEED ?? 20261121);

export const templateDatabase = 'guichet_template';

/** Bytes: three times what the databases of a run take. */
const roomWanted = 6 * 1024 ** 3;

/** Where databases and all temporary files of the run go: Linux's shared memory where there is room, so that nothing reaches a disk. */
function findFastFolder(): string {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize >= roomWanted ? '/dev/shm' : os.tmpdir();
  } catch {
    return os.tmpdir();
  }
}

/**
 * One real PostgreSQL for the whole run, with a migrated database that every test file copies. The copies go with the folder:
 * to drop each would write a checkpoint each time.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  process.stdout.write(`PROPERTY_SEED=${propertySeed}\n`);
  project.provide('propertySeed', propertySeed);
  const folder = realpathSync(mkdtempSync(path.join(findFastFolder(), 'guichet-test-')));
  // The account PostgreSQL runs under for root must get in; a folder of mkdtemp is ours alone.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = path.join(folder, 'tmp');
  mkdirSync(process.env.TMPDIR);
  chmodSync(process.env.TMPDIR, 0o1777);
  // Those of three workers' products, and as many again.
  const database = await startEmbeddedDatabase(folder, 150);
  const { host, port, user, password } = database.superuser;
  const client = new pg.Client(database.superuser);
  await client.connect();
  await client.query(`create database ${templateDatabase}`);
  // Else it visits each of a few hundred databases every minute.
  await client.query("alter system set autovacuum_naptime = '1h'");
  await client.query('select pg_reload_conf()');
  await client.end();
  await migrate({ ...database.superuser, database: templateDatabase });
  project.provide('server', { host: host ?? '', port: port ?? 0, user: user ?? '', password: String(password) });
  const tearDown = async () => {
    await database.stop();
    for (const made of [findHome(folder), folder]) rmSync(made, { recursive: true, force: true });
  };
  // Vitest tears down nothing where it is told to end by these.
  for (const signal of ['SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void tearDown().finally(() => process.exit(128 + os.constants.signals[signal])));
  return tearDown;
}
