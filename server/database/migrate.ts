import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator';
import { runMigrations as migrateJobs } from 'graphile-worker';
import pg from 'pg';
import { databaseLimits, migrationLimits } from '#server/process/limits.ts';
import { sqlState } from './connect.ts';
import { quietJobLogger } from './job-logger.ts';
import { runOnlineSteps } from './online-steps.ts';

/** Any number, as long as every process of every version uses the same one. */
const migrationLock = 7_226_001;
const folder = path.join(import.meta.dirname, 'migrations');

/** Brings the database to this version. Processes that start together take turns on an advisory lock. */
export async function migrate(config: pg.ClientConfig): Promise<void> {
  const pool = new pg.Pool({ ...config, max: 2, connectionTimeoutMillis: databaseLimits.connectAtStartMs });
  // A connection that breaks fails the query on it; these listeners only keep the event from ending the process.
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
  try {
    const client = await pool.connect();
    try {
      await takeTurn(client);
      await runWithoutQueueing(client);
      await runOnlineSteps(client);
      await migrateJobs({ pgPool: pool, logger: quietJobLogger });
    } finally {
      // Ending the connection lets the lock go, whatever happened on it.
      client.release(true);
    }
  } finally {
    await pool.end();
  }
}

/**
 * Waits for the lock of the migrations without a statement that waits: an index that is built concurrently waits for every
 * statement under way, and so for whoever waits for it.
 */
async function takeTurn(client: pg.PoolClient): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [migrationLock]);
    if (rows[0]?.mine) return;
    await setTimeout(migrationLimits.turnMs);
  }
}

/**
 * The migrations of this version, in one transaction. A change of a table waits for who reads it, and everybody else waits
 * behind it: so it gives up after a moment, lets them pass, and tries again.
 */
async function runWithoutQueueing(client: pg.PoolClient): Promise<void> {
  await client.query("select set_config('lock_timeout', $1, false)", [String(migrationLimits.lockMs)]);
  for (let tries = 1; ; tries += 1)
    try {
      await runMigrations(drizzle(client), { migrationsFolder: folder });
      break;
    } catch (error) {
      if (sqlState(error) !== '55P03' || tries >= migrationLimits.tries) throw error;
      await setTimeout(migrationLimits.pauseMs);
    }
  await client.query('reset lock_timeout');
}
