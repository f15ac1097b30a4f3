import { setTimeout } from 'node:timers/promises';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator';
import { Logger, runMigrations as migrateJobs } from 'graphile-worker';
import pg from 'pg';
import { CannotStart } from '#server/process/cannot-start.ts';
import { databaseLimits } from '#server/process/limits.ts';
import { DatabaseClient, sqlState } from './connect.ts';
import {
  listMigrations,
  migrationLock,
  migrationsFolder,
  readLastMigration,
  refusePredecessor,
} from './migration-list.ts';
import { type OnlineSteps, onlineSteps, runOnlineSteps } from './online-steps.ts';
import { limitTimeOfRole } from './timeouts.ts';

/** Migrations, beside processes that go on serving. */
const limits = {
  /** For a lock on a table, with everybody else queueing behind. */
  lockMs: 900,
  /** How often a process that waits for another one's migrations looks whether they are done. */
  turnMs: 100,
  /** For that process to be done; ten million tickets take a fraction of it. */
  longestTurnMs: 30 * 60_000,
  /** Between two tries, for those who waited. */
  pauseMs: 1_000,
  /** A minute's, after which an operator should look at who reads for so long. */
  tries: 30,
} as const;

/** The job runner's own chatter is left out; failures of our jobs are logged by the jobs. */
export const quietJobLogger = new Logger(() => () => {});

/** What a database lacked of this version: numbers of migrations, and names of steps. */
interface Run {
  migrations: number[];
  steps: string[];
}

/**
 * Brings the database to this version. Processes that start together take turns: the one whose turn it is holds a lock in an
 * open transaction of its own, since behind a pooler only that keeps a connection. Throws `CannotStart` when its turn does
 * not come, and for a database that is too old.
 */
export async function migrate(config: pg.ClientConfig, steps: OnlineSteps = onlineSteps): Promise<Run> {
  const pool = new pg.Pool({
    ...config,
    max: 3,
    connectionTimeoutMillis: databaseLimits.connectAtStartMs,
    Client: DatabaseClient,
  });
  // The pool tells of an idle connection that broke, and Graphile Worker wants both listeners: see `connect`.
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
  const run: Run = { migrations: [], steps: [] };
  try {
    const turn = await pool.connect();
    try {
      await takeTurn(turn);
      const client = await pool.connect();
      try {
        const last = await readLastMigration(client);
        await refusePredecessor(client, last);
        await limitTimeOfRole(client);
        await runWithoutQueueing(client);
        run.migrations = listMigrations().flatMap(({ when, number }) => (when > (last ?? 0) ? [number] : []));
        run.steps = await runOnlineSteps(client, steps);
      } finally {
        // Its settings go with it.
        client.release(true);
      }
      await migrateJobs({ pgPool: pool, logger: quietJobLogger });
      await turn.query('commit');
      return run;
    } finally {
      // Ending the connection lets the lock go, whatever happened on it.
      turn.release(true);
    }
  } finally {
    await pool.end();
  }
}

/**
 * Waits for the lock of the migrations without a statement that waits: an index that is built concurrently waits for every
 * statement under way, waiting ones included. Between its statements such a transaction blocks no other.
 */
async function takeTurn(client: pg.PoolClient): Promise<void> {
  const deadline = performance.now() + limits.longestTurnMs;
  for (;;) {
    await client.query('begin; set local idle_in_transaction_session_timeout = 0');
    // Without parameters: with them the statement's portal, and so its snapshot, would stay until the transaction's end.
    const { rows } = await client.query<{ mine: boolean }>(
      `select pg_try_advisory_xact_lock(${migrationLock}) as mine`,
    );
    if (rows[0]?.mine) return;
    await client.query('rollback');
    if (performance.now() > deadline)
      throw new CannotStart(
        "Une autre instance de Guichet prépare cette base de données et n'en finit pas : arrêtez-la, puis réessayez.",
      );
    await setTimeout(limits.turnMs);
  }
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
      if (sqlState(error) !== '55P03' || tries >= limits.tries) throw error;
      await setTimeout(limits.pauseMs);
    }
}
