import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { afterAll, expect, inject, test } from 'vitest';
import { createDatabase } from '#server/testing/test-api.ts';
import { connect, DatabaseClient, type Db, sqlState } from './connect.ts';
import { databaseLimits } from './limits.ts';
import { requireRow, rows } from './rows.ts';

const { config } = await createDatabase();
const connection = connect(config, () => {});
await connection.pool.query('create table kept (value int unique deferrable initially deferred)');
afterAll(() => connection.close());

/** More often than there are connections: what keeps one leaves none. */
const often = Array.from({ length: databaseLimits.connections + 1 }, (_, index) => index);
const keep = (value: number) => sql`insert into kept values (${value})`;
const kept = async () =>
  (await rows<{ value: number }>(connection.db, sql`select value from kept`)).map((row) => row.value);

/** The connection that is taken next never sends this statement. */
function refuseOnce(statement: string): void {
  connection.pool.once('acquire', (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    const refuse = async (given: string | { text: string }, ...rest: unknown[]) => {
      if (typeof given === 'string' || given.text.trim() !== statement) return query(given, ...rest);
      Object.assign(client, { query });
      throw new Error(`no ${statement}`);
    };
    Object.assign(client, { query: refuse });
  });
}

const failure = sql`select 1 / 0`;
test.each<{ fault: string; prepare?: () => void; work?: (tx: Db) => Promise<unknown> }>([
  { fault: 'does not begin', prepare: () => refuseOnce('begin') },
  { fault: 'loses its connection', work: (tx) => tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`) },
  { fault: 'fails', work: (tx) => tx.execute(failure) },
  // PostgreSQL would answer ROLLBACK to its COMMIT.
  { fault: 'goes on after a failure', work: (tx) => tx.execute(failure).catch(() => {}) },
  { fault: 'cannot commit', work: (tx) => tx.execute(keep(1)) },
])('a transaction that $fault keeps nothing and gives its connection back', async ({ prepare, work }) => {
  for (const _ of often) {
    prepare?.();
    const failed = connection.db.transaction(async (tx) => {
      await tx.execute(keep(1));
      await work?.(tx);
    });
    await expect(failed).rejects.toThrow();
  }
  expect(await kept()).not.toContain(1);
  expect(connection.pool.totalCount).toBe(connection.pool.idleCount);
});

test('of a transaction within another one the inner one is undone alone', async () => {
  await connection.db.transaction(async (tx) => {
    await tx.execute(keep(10));
    const inner = tx.transaction(async (within) => {
      await within.execute(keep(20));
      await within.execute(sql`select 1 / 0`);
    });
    expect(await inner.catch(sqlState)).toBe('22012');
  });
  expect(await kept()).toEqual([10]);
});

test('a connection that cannot leave its transaction is not used again', async () => {
  refuseOnce('rollback');
  const pid = sql`select pg_backend_pid() as pid`;
  let within: unknown;
  const failed = connection.db.transaction(async (tx) => {
    within = await requireRow(tx, pid);
    throw new Error('enough');
  });
  await expect(failed).rejects.toThrow();
  expect(within).toEqual({ pid: expect.any(Number) });
  expect(await requireRow(connection.db, pid)).not.toEqual(within);
});

test('a connection of its own that breaks under a statement or beside one fails statements alone', async () => {
  const [busy, quiet]: pg.Client[] = [new DatabaseClient(inject('server')), new DatabaseClient(inject('server'))];
  await Promise.all([busy?.connect(), quiet?.connect()]);
  const pid = (await quiet?.query<{ pid: number }>('select pg_backend_pid() as pid'))?.rows[0]?.pid;
  const ended = [busy, quiet].map((client) => new Promise((resolve) => client?.once('end', resolve)));
  await expect(busy?.query('select pg_terminate_backend(pg_backend_pid())')).rejects.toThrow();
  await connection.pool.query('select pg_terminate_backend($1)', [pid]);
  await Promise.all(ended);
  await expect(quiet?.query('select 1')).rejects.toThrow();
});

test('rows of hand-written SQL have instants as dates, to the millisecond below, and null where there is none', async () => {
  const at = '2026-11-27T12:00:00.289999Z';
  for (const kept of [undefined, 'prepared', 'prepared'] as const)
    expect(
      await rows(connection.db, sql`select ${at}::timestamptz as at, null::timestamptz as never, 1 as one`, kept),
    ).toEqual([{ at: new Date('2026-11-27T12:00:00.289Z'), never: null, one: 1 }]);
});

test('a connection keeps prepared statements apart by their texts', async () => {
  await connection.db.transaction(async (db) => {
    for (const list of [[1], [1, 2], [3]]) {
      const values = sql.join(
        list.map((each) => sql`${each}::int`),
        sql`, `,
      );
      expect(await rows(db, sql`select array[${values}] as list`, 'prepared')).toEqual([{ list }]);
    }
    const [names] = await rows(
      db,
      sql`select count(*)::int as kept from pg_prepared_statements where statement like '%as list'`,
    );
    expect(names).toEqual({ kept: 2 });
  });
});
