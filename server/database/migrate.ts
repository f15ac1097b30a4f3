import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator';
import { Logger, runMigrations as migrateJobs } from 'graphile-worker';
import pg from 'pg';
import { CannotStart } from '#server/process/cannot-start.ts';
import { DatabaseClient, sqlState } from './connect.ts';
import { databaseLimits } from './limits.ts';
import { limitTimeOfRole } from './timeouts.ts';

/** Migrations, beside processes that go on serving. */
const limits = {
  /** For a lock on a table, with everybody else queueing behind. */
  lockMs: 900,
  /** For another process that migrates to be done; ten million tickets take a fraction of it. */
  turnMs: 30 * 60_000,
  /** Between two tries, for those who waited. */
  pauseMs: 1_000,
  /** A minute's, after which an operator should look at who reads for so long. */
  tries: 30,
} as const;

/** Any number, as long as every process of every version uses the same one. */
export const migrationLock = 7_226_001;
const migrationsFolder = path.join(import.meta.dirname, 'migrations');
/** SQLSTATE of a lock that did not come in time. */
const lockNotAvailable = '55P03';

/** The job runner's own chatter is left out; failures of our jobs are logged by the jobs. */
export const quietJobLogger = new Logger(() => () => {});

export interface Migration {
  /** From 0, as its file is numbered. */
  number: number;
  /** By which drizzle's journal, and a database, know it. */
  when: number;
  statements: string[];
  hash: string;
}

/** All migrations of this version, the oldest first: those that made 1.0 begin them. */
export const listMigrations = (): Migration[] =>
  readMigrationFiles({ migrationsFolder }).map(({ sql, folderMillis, hash }, number) => ({
    number,
    when: folderMillis,
    statements: sql,
    hash,
  }));

/** When the migration was made that a database had last; undefined for one that has had none. */
export async function readLastMigration(client: pg.ClientBase): Promise<number | undefined> {
  const { rows: known } = await client.query<{ there: boolean }>(
    "select to_regclass('drizzle.__drizzle_migrations') is not null as there",
  );
  if (!known[0]?.there) return undefined;
  const { rows } = await client.query<{ when: string | null }>(
    'select max(created_at)::text as when from drizzle.__drizzle_migrations',
  );
  return rows[0]?.when ? Number(rows[0].when) : undefined;
}

/** Runs these migrations on an empty database, in the caller's transaction, and notes them where drizzle looks. */
export async function runOnEmpty(client: pg.ClientBase, migrations: readonly Migration[]): Promise<void> {
  await client.query('create schema drizzle');
  await client.query(
    'create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)',
  );
  for (const { statements, hash, when } of migrations) {
    for (const statement of statements) await client.query(statement);
    await client.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [hash, when]);
  }
}

/**
 * Brings the database to this version. Processes that start together take turns: the one whose turn it is holds a lock in an
 * open transaction of its own, since behind a pooler only that keeps a connection. Throws `CannotStart` when its turn does
 * not come, and for a database that is too old or too new.
 */
export async function migrate(config: pg.ClientConfig): Promise<void> {
  const pool = new pg.Pool({
    ...config,
    max: 3,
    connectionTimeoutMillis: databaseLimits.connectAtStartMs,
    Client: DatabaseClient,
  });
  // The pool tells of an idle connection that broke, and Graphile Worker wants both listeners: see `connect`.
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
  try {
    const turn = await pool.connect();
    try {
      await takeTurn(turn);
      const client = await pool.connect();
      try {
        await requireKnownVersion(client);
        await limitTimeOfRole(client);
        await runWithoutQueueing(client);
      } finally {
        // Its settings go with it.
        client.release(true);
      }
      await migrateJobs({ pgPool: pool, logger: quietJobLogger });
      await turn.query('commit');
    } finally {
      // Ending the connection lets the lock go, whatever happened on it.
      turn.release(true);
    }
  } finally {
    await pool.end();
  }
}

async function takeTurn(client: pg.PoolClient): Promise<void> {
  const own = `set local lock_timeout = ${limits.turnMs}; set local statement_timeout = 0`;
  await client.query(`begin; ${own}; set local idle_in_transaction_session_timeout = 0`);
  await client.query(`select pg_advisory_xact_lock(${migrationLock})`).catch((cause: unknown) => {
    if (sqlState(cause) !== lockNotAvailable) throw cause;
    throw new CannotStart(
      "Une autre instance de Guichet prépare cette base de données et n'en finit pas : arrêtez-la, puis réessayez.",
      { cause },
    );
  });
}

/** Throws `CannotStart` where a database is from before 1.0, from where no migration leads here, or of a newer version. */
export async function requireKnownVersion(client: pg.ClientBase): Promise<void> {
  const last = await readLastMigration(client);
  if (last !== undefined && last > (listMigrations().at(-1)?.when ?? 0))
    throw new CannotStart(
      "Cette base de données est d'une version plus récente de Guichet : démarrez celle-là, ou restaurez avec celle-ci, dans une base neuve, une sauvegarde d'avant la mise à jour.",
    );
  if (last !== undefined && last < (listMigrations()[0]?.when ?? 0))
    throw new CannotStart(
      "Cette base de données est d'une version de Guichet d'avant la 1.0, que celle-ci ne reprend pas : démarrez la version qui l'a faite, ou donnez à celle-ci une base neuve, par DATA_DIR ou DATABASE_URL.",
    );
}

/**
 * The migrations of this version, in one transaction. A change of a table waits for who reads it, and everybody else waits
 * behind it: so it gives up after a moment, lets them pass, and tries again.
 */
async function runWithoutQueueing(client: pg.PoolClient): Promise<void> {
  for (let tries = 1; ; tries += 1)
    try {
      // Drizzle begins a transaction itself, and so goes on in this one: the limits are its own, and end with it.
      await client.query(`begin; set local lock_timeout = ${limits.lockMs}; set local statement_timeout = 0`);
      await runMigrations(drizzle(client), { migrationsFolder });
      return;
    } catch (error) {
      await client.query('rollback');
      if (sqlState(error) !== lockNotAvailable || tries >= limits.tries) throw error;
      await setTimeout(limits.pauseMs);
    }
}
