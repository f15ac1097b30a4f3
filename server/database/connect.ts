import type { SQLWrapper } from 'drizzle-orm';
import { drizzle, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres';
import type { PgDatabase } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { CannotStart } from '#server/process/cannot-start.ts';
import { databaseLimits } from '#server/process/limits.ts';
import { PreparedClient } from './clients.ts';
import type { Query, RowsOf } from './statement.ts';
import { limitTime } from './timeouts.ts';
import { FinalStatements, sendTogether, Transaction } from './transaction.ts';

type Drizzle = PgDatabase<NodePgQueryResultHKT, Record<string, never>>;

/** A database or a transaction on it: what every store function takes first. */
export interface Db extends Omit<Drizzle, 'transaction' | 'execute'> {
  /** Asks statements in one write, outside of a transaction each in its own. Answers their rows, or throws the first failure. */
  ask<Calls extends readonly Query<unknown>[]>(...calls: Calls): Promise<RowsOf<Calls>>;
  /** Does what answers no rows; rows are declared, for `ask`. */
  execute(statement: SQLWrapper | string): Promise<{ rowCount: number | null }>;
  /** Does the work in a transaction, which is undone when it throws. One within another is undone alone. */
  transaction<Result>(work: (tx: Db) => Promise<Result | FinalStatements<Result>>): Promise<Result>;
}

export interface Connection {
  db: Db;
  pool: pg.Pool;
  /** Opens a connection beside the pool, which its owner ends. Until then `onError` hears of it when it breaks. */
  openClient(settings: pg.ClientConfig, onError: () => void): Promise<PreparedClient>;
  close(): Promise<void>;
}

/**
 * Opens a pool of connections. `onIdleError` receives errors of idle connections; without a listener such an event ends the
 * process (node-postgres documents it). With `answerMs` the pool gives up a connection without an answer for so long, so
 * that a silent server holds none. `Client` makes the connections, for tests with one that looks at what is answered.
 */
export function connect(
  config: pg.ClientConfig,
  onIdleError: (error: Error) => void,
  { answerMs, Client = PreparedClient }: { answerMs?: number; Client?: typeof PreparedClient } = {},
): Connection {
  const withKeepAlive = { ...config, keepAlive: true, keepAliveInitialDelayMillis: databaseLimits.keepAliveMs };
  const pool = new pg.Pool({
    ...withKeepAlive,
    ...(answerMs !== undefined && { query_timeout: answerMs }),
    max: databaseLimits.connections,
    connectionTimeoutMillis: databaseLimits.connectMs,
    idleTimeoutMillis: databaseLimits.idleConnectionMs,
    application_name: 'guichet',
    Client,
    // The statements of a transaction that do not depend on each other's answers go out in one write.
    pipeline: true,
    onConnect: async (client) => {
      if (client instanceof PreparedClient) await prepare(client);
    },
  });
  let closing = false;
  // Graphile Worker wants a listener on the connections of a pool too, though theirs is enough.
  pool.on('error', (error) => closing || onIdleError(error)).on('connect', (client) => client.on('error', () => {}));
  return {
    db: openDb(pool),
    pool,
    async openClient(settings, onError) {
      const client = new Client({
        ...withKeepAlive,
        connectionTimeoutMillis: databaseLimits.connectMs,
        pipeline: true,
        ...settings,
      });
      client.on('error', onError);
      try {
        await client.connect();
        await prepare(client);
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

const prepare = async (client: PreparedClient) => client.noteServer(await limitTime(client));

const options = { casing: 'snake_case' } as const;

/**
 * Drizzle on this pool, with transactions of our own: its keep their connection for ever when it broke before BEGIN (0.45.4),
 * so that some outages later there is none left. A connection that is left within a transaction is not used again.
 */
function openDb(pool: pg.Pool): Db {
  const withClient = async <Result>(work: (client: PreparedClient) => Promise<Result>): Promise<Result> => {
    const client = await pool.connect();
    try {
      return await work(client as unknown as PreparedClient);
    } finally {
      client.release(client.getTransactionStatus() !== 'I');
    }
  };
  const readQuickly = batchReads(pool);
  return withOwn(drizzle(pool, options), {
    ask: (calls) =>
      calls.every(({ isQuick }) => isQuick)
        ? readQuickly(calls)
        : withClient(async (client) => (await sendTogether(client, calls)).map(({ rows }) => rows)),
    transaction: (work) =>
      withClient(async (client) => {
        const transaction = new Transaction(client);
        try {
          const { calls, resultOf } = FinalStatements.of(await work(within(transaction)));
          return resultOf(await transaction.commit(calls));
        } catch (error) {
          // The first failure is thrown; a connection that cannot be reset is not used again.
          await transaction.rollBack().catch(() => {});
          throw error;
        }
      }),
  });
}

interface Waiting {
  call: Query<unknown>;
  resolve(rows: unknown[]): void;
  reject(reason: unknown): void;
}

/**
 * Asks quick reads of many callers together: those of one turn of the event loop go out a few to a connection, in one write,
 * and are answered one after the other. Waking PostgreSQL, and being woken, costs more than such a statement itself. Each is
 * a transaction of its own, and fails alone.
 */
function batchReads(pool: pg.Pool): (calls: readonly Query<unknown>[]) => Promise<unknown[][]> {
  let waiting: Waiting[] = [];

  async function send(some: readonly Waiting[]): Promise<void> {
    let client: PreparedClient;
    try {
      client = (await pool.connect()) as unknown as PreparedClient;
    } catch (error) {
      for (const { reject } of some) reject(error);
      return;
    }
    const answers = client.inOneWrite(() =>
      some.map(({ call, resolve, reject }) =>
        (client.query(call) as Promise<pg.QueryResult>).then(({ rows }) => resolve(rows), reject),
      ),
    );
    await Promise.all(answers);
    (client as unknown as pg.PoolClient).release(client.getTransactionStatus() !== 'I');
  }

  function sendAll(): void {
    const all = waiting;
    waiting = [];
    for (let from = 0; from < all.length; from += databaseLimits.readsTogether)
      void send(all.slice(from, from + databaseLimits.readsTogether));
  }

  return (calls) =>
    Promise.all(
      calls.map(
        (call) =>
          new Promise<unknown[]>((resolve, reject) => {
            // After all that has arrived by now has been looked at.
            if (waiting.length === 0) setImmediate(sendAll);
            waiting.push({ call, resolve, reject });
          }),
      ),
    );
}

/** Drizzle within a transaction. */
function within(transaction: Transaction): Db {
  const tx: Db = withOwn(drizzle(transaction as unknown as pg.PoolClient, options), {
    ask: (calls) => transaction.ask(calls),
    async transaction(work) {
      await transaction.query('savepoint within');
      try {
        const { calls, resultOf } = FinalStatements.of(await work(tx));
        const rows = await transaction.ask(calls);
        await transaction.query('release savepoint within');
        return resultOf(rows);
      } catch (error) {
        await transaction.query('rollback to savepoint within');
        throw error;
      }
    },
  });
  return tx;
}

interface Own {
  ask(calls: readonly Query<unknown>[]): Promise<unknown[][]>;
  transaction: Db['transaction'];
}

function withOwn(db: Drizzle, { ask, transaction }: Own): Db {
  return Object.assign(db, {
    ask: <Calls extends readonly Query<unknown>[]>(...calls: Calls) => ask(calls) as Promise<RowsOf<Calls>>,
    transaction,
  });
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
