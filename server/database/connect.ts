import { drizzle, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres';
import { NodePgSession } from 'drizzle-orm/node-postgres/session';
import type { PgDatabase } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { CannotStart } from '#server/process/cannot-start.ts';
import { databaseLimits } from './limits.ts';
import { dialect } from './rows.ts';
import { limitTime } from './timeouts.ts';

/** A database or a transaction on it: what every store function takes first. */
export type Db = PgDatabase<NodePgQueryResultHKT, Record<string, never>>;

export interface Connection {
  db: Db;
  pool: pg.Pool;
  /** Opens a connection beside the pool, which its owner ends. Until then `onError` hears of it when it breaks. */
  openClient(settings: pg.ClientConfig, onError: () => void): Promise<DatabaseClient>;
  close(): Promise<void>;
}

/**
 * A connection that never ends the process when it breaks, and takes the names off prepared statements unless the server
 * keeps them: a pooler may give each transaction another server, which knows nothing of what was prepared on the last one.
 */
export class DatabaseClient extends pg.Client {
  #isDirect = false;

  constructor(config?: pg.ClientConfig) {
    super(config);
    this.on('error', () => {});
  }

  /** Sets the time limits, and learns which process of PostgreSQL answers: only a pooler invents another BackendKeyData. */
  async prepare(): Promise<void> {
    const pid = await limitTime(this);
    this.#isDirect = pid !== undefined && 'processID' in this && this.processID === pid;
  }

  /** Whether one process of PostgreSQL answers all along, so that it knows of what was set, named or listened to before. */
  get isDirect(): boolean {
    return this.#isDirect;
  }

  override query(...given: unknown[]): never {
    const [query, ...rest] = given;
    const asked = typeof query === 'object' && query !== null && !('submit' in query) ? query : {};
    const ask = super.query as (...args: unknown[]) => never;
    const answer = ask.call(this, 'name' in asked && !this.#isDirect ? { ...asked, name: undefined } : query, ...rest);
    return 'text' in asked && asked.text === 'commit' ? (requireCommitted(answer) as never) : answer;
  }
}

/** PostgreSQL answers ROLLBACK, and no error, to the COMMIT of a transaction in which a statement failed. */
async function requireCommitted(answer: Promise<pg.QueryResult>): Promise<pg.QueryResult> {
  const result = await answer;
  if (result.command !== 'COMMIT') throw new Error('a transaction with a failed statement was not committed');
  return result;
}

/**
 * Opens a pool of connections. `onIdleError` receives errors of idle connections; without a listener such an event ends the
 * process (node-postgres documents it). With `answerMs` the pool gives up a connection without an answer for so long, so
 * that a silent server holds none.
 */
export function connect(
  config: pg.ClientConfig,
  onIdleError: (error: Error) => void,
  { answerMs }: { answerMs?: number } = {},
): Connection {
  const withKeepAlive = { ...config, keepAlive: true, keepAliveInitialDelayMillis: databaseLimits.keepAliveMs };
  const pool = new pg.Pool({
    ...withKeepAlive,
    ...(answerMs !== undefined && { query_timeout: answerMs }),
    max: databaseLimits.connections,
    connectionTimeoutMillis: databaseLimits.connectMs,
    idleTimeoutMillis: databaseLimits.idleConnectionMs,
    application_name: 'guichet',
    Client: DatabaseClient,
    onConnect: async (client) => {
      if (client instanceof DatabaseClient) await client.prepare();
    },
  });
  let closing = false;
  // Graphile Worker wants a listener on the connections of a pool too, though theirs is enough.
  pool.on('error', (error) => closing || onIdleError(error)).on('connect', (client) => client.on('error', () => {}));
  return {
    db: openDb(pool),
    pool,
    async openClient(settings, onError) {
      const connectionTimeoutMillis = databaseLimits.connectMs;
      const client = new DatabaseClient({ ...withKeepAlive, connectionTimeoutMillis, ...settings });
      client.on('error', onError);
      try {
        await client.connect();
        await client.prepare();
        return client;
      } catch (error) {
        client.end().catch(() => {});
        throw error;
      }
    },
    close() {
      closing = true;
      return pool.end();
    },
  };
}

const options = { casing: 'snake_case' } as const;

/**
 * Drizzle on this pool. Its own transactions keep their connection for ever when it broke before BEGIN (0.45.4); so theirs
 * are asked for on a connection that is given back here. One that is left within a transaction is not used again.
 */
function openDb(pool: pg.Pool): Db {
  const db: Db = drizzle(pool, options);
  db.transaction = async (work, config) => {
    const client = await pool.connect();
    try {
      // With the one dialect, which has worked out the columns' names already.
      const session: unknown = new NodePgSession(client, dialect, undefined);
      return await (session as Db).transaction(work, config);
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
