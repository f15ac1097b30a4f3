import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { databaseLimits } from '#server/process/limits.ts';
import { PrimaryOnlyClient } from './clients.ts';
import { type Connection, connect } from './connect.ts';
import { int } from './row-kinds.ts';
import { query } from './statement.ts';

let connection: Connection;

beforeAll(() => {
  connection = connect(inject('server'), () => {});
});
afterAll(() => connection.close());

/** More often than there are connections: what keeps one leaves none. */
const often = Array.from({ length: databaseLimits.connections + 1 }, (_, index) => index);

const one = async () => (await connection.db.ask(query({ one: int })(sql`select 1 as one`)))[0];

/** The connection that is taken next never sends this statement. */
function refuseOnce(statement: string): void {
  connection.pool.once('acquire', (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    const refuse = async (given: unknown, ...rest: unknown[]) => {
      if (given !== statement) return query(given, ...rest);
      Object.assign(client, { query });
      throw new Error(`no ${statement}`);
    };
    Object.assign(client, { query: refuse });
  });
}

test.each([
  {
    fault: 'does not begin',
    fail: () => {
      refuseOnce('begin');
      return connection.db.transaction((tx) => tx.execute(sql`select 1`));
    },
  },
  {
    fault: 'loses its connection',
    fail: () => connection.db.transaction((tx) => tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`)),
  },
  {
    fault: 'fails',
    fail: () => connection.db.transaction((tx) => tx.execute(sql`select 1 / 0`)),
  },
])('a transaction that $fault gives its connection back', async ({ fail }) => {
  for (const _ of often) await expect(fail()).rejects.toThrow();
  expect(await one()).toEqual([{ one: 1 }]);
  expect(connection.pool.totalCount).toBe(connection.pool.idleCount);
});

test('a connection that cannot leave its transaction is not used again', async () => {
  refuseOnce('rollback');
  const pid = query({ pid: int })(sql`select pg_backend_pid() as pid`);
  let within: unknown;
  const failed = connection.db.transaction(async (tx) => {
    [within] = await tx.ask(pid);
    throw new Error('enough');
  });
  await expect(failed).rejects.toThrow();
  expect(within).toEqual([{ pid: expect.any(Number) }]);
  expect((await connection.db.ask(pid))[0]).not.toEqual(within);
});

test('a connection of its own that breaks under a statement or beside one fails statements alone', async () => {
  const [busy, quiet] = [new PrimaryOnlyClient(inject('server')), new PrimaryOnlyClient(inject('server'))];
  await Promise.all([busy.connect(), quiet.connect()]);
  const { rows } = await quiet.query('select pg_backend_pid() as pid');
  const ended = [busy, quiet].map((client) => new Promise((resolve) => client.once('end', resolve)));
  await expect(busy.query('select pg_terminate_backend(pg_backend_pid())')).rejects.toThrow();
  await connection.pool.query('select pg_terminate_backend($1)', [rows[0].pid]);
  await Promise.all(ended);
  await expect(quiet.query('select 1')).rejects.toThrow();
});
