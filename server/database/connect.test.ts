import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { databaseLimits } from '#server/process/limits.ts';
import { type Connection, connect } from './connect.ts';

let connection: Connection;

beforeAll(() => {
  connection = connect(inject('server'), () => {});
});
afterAll(() => connection.close());

/** More often than there are connections: what keeps one leaves none. */
const often = Array.from({ length: databaseLimits.connections + 1 }, (_, index) => index);

const one = async () => (await connection.db.execute<{ one: number }>(sql`select 1 as one`)).rows;

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
  const pid = sql<number>`select pg_backend_pid() as pid`;
  let within: unknown;
  const failed = connection.db.transaction(async (tx) => {
    within = (await tx.execute(pid)).rows;
    throw new Error('enough');
  });
  await expect(failed).rejects.toThrow();
  expect(within).toEqual([{ pid: expect.any(Number) }]);
  expect((await connection.db.execute(pid)).rows).not.toEqual(within);
});
