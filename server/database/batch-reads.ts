import type pg from 'pg';
import { databaseLimits } from '#server/process/limits.ts';
import type { PreparedClient } from './prepared-client.ts';
import type { Query } from './statement.ts';

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
export function batchReads(pool: pg.Pool): (calls: readonly Query<unknown>[]) => Promise<unknown[][]> {
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
