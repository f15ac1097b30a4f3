import { drizzle, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres';
import type { PgDatabase } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { CannotStart } from '#server/process/cannot-start.ts';
import { databaseLimits } from '#server/process/limits.ts';
import { limitTime } from './timeouts.ts';
import { UnnamedClient } from './unnamed-client.ts';

/** A database or a transaction on it: what every store function takes first. */
export type Db = PgDatabase<NodePgQueryResultHKT, Record<string, never>>;

export interface Connection {
  db: Db;
  pool: pg.Pool;
  /** A connection beside the pool, not yet connected. */
  openClient(settings: pg.ClientConfig): pg.Client;
  close(): Promise<void>;
}

/**
 * Opens a pool of connections. `onIdleError` hears of connections that break while idle: without a listener
 * such an event would end the process (node-postgres documents it so).
 */
export function connect(config: pg.ClientConfig, onIdleError: (error: Error) => void): Connection {
  const pool = new pg.Pool({
    ...config,
    max: databaseLimits.connections,
    connectionTimeoutMillis: databaseLimits.connectMs,
    idleTimeoutMillis: databaseLimits.idleConnectionMs,
    application_name: 'guichet',
    Client: UnnamedClient,
    onConnect: limitTime,
  });
  let closing = false;
  pool.on('error', (error) => closing || onIdleError(error)).on('connect', (client) => client.on('error', () => {}));
  return {
    db: openDb(pool),
    pool,
    openClient: (settings) =>
      new pg.Client({
        ...config,
        connectionTimeoutMillis: databaseLimits.connectMs,
        application_name: 'guichet',
        ...settings,
      }),
    close() {
      closing = true;
      return pool.end();
    },
  };
}

/**
 * Drizzle on this pool, with transactions of our own: its keep their connection for ever when it broke before BEGIN (0.45.4),
 * so that some outages later there is none left. A connection that is left within a transaction is not used again.
 */
function openDb(pool: pg.Pool): Db {
  const options = { casing: 'snake_case' } as const;
  const db: Db = drizzle(pool, options);
  db.transaction = async (work, config) => {
    const client = await pool.connect();
    try {
      return await drizzle(client, options).transaction(work, config);
    } finally {
      client.release(client.getTransactionStatus() !== 'I');
    }
  };
  return db;
}

const durable = ['fsync', 'full_page_writes', 'synchronous_commit'];

/** Refuses a server that may lose what it acknowledged. */
export async function assertDurable(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string; setting: string }>(
    'select name, setting from pg_settings where name = any($1)',
    [durable],
  );
  const off = rows.filter((row) => row.setting === 'off').map((row) => row.name);
  if (off.length > 0)
    throw new CannotStart(
      `La base de données peut perdre des données : activez ${off.join(', ')} sur ce serveur PostgreSQL.`,
    );
}

/** PostgreSQL's SQLSTATE of a failed query, wherever drizzle wrapped it. */
export function sqlState(error: unknown): string | undefined {
  for (let each = error; each instanceof Error; each = each.cause)
    if ('code' in each && typeof each.code === 'string' && /^[0-9A-Z]{5}$/.test(each.code)) return each.code;
  return undefined;
}

/** The name of the constraint a failed query ran into. */
export function violatedConstraint(error: unknown): string | undefined {
  for (let each = error; each instanceof Error; each = each.cause)
    if ('constraint' in each && typeof each.constraint === 'string') return each.constraint;
  return undefined;
}
