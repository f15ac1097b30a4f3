import path from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator';
import { runMigrations as migrateJobs } from 'graphile-worker';
import pg from 'pg';
import { databaseLimits } from '#server/process/limits.ts';
import { quietJobLogger } from './job-logger.ts';

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
      await client.query('select pg_advisory_lock($1)', [migrationLock]);
      await runMigrations(drizzle(client), { migrationsFolder: folder });
      await migrateJobs({ pgPool: pool, logger: quietJobLogger });
    } finally {
      // Ending the connection lets the lock go, whatever happened on it.
      client.release(true);
    }
  } finally {
    await pool.end();
  }
}
