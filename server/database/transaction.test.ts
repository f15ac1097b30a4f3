import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { hearWrites } from '#server/testing/hear-writes.ts';
import { type Connection, connect, sqlState } from './connect.ts';
import { bool, instant, int } from './row-kinds.ts';
import { none, statement } from './statement.ts';
import { FinalStatements } from './transaction.ts';

let connection: Connection;
let heard: ReturnType<typeof hearWrites>;
beforeAll(async () => {
  connection = connect(inject('server'), () => {});
  await connection.pool.query('create table kept (value int not null)');
});
beforeEach(() => {
  heard = hearWrites(connection.pool);
});
afterEach(async () => {
  heard.stop();
  expect(connection.pool.totalCount, 'every connection is given back').toBe(connection.pool.idleCount);
  await connection.pool.query('truncate kept');
});
afterAll(async () => {
  await connection.pool.query('drop table kept');
  await connection.close();
});

const echo = statement({ value: int })('select $1::int as value');
const divide = statement({ value: int })('select 1 / $1::int as value');
const keep = statement({ value: int })('insert into kept values ($1) returning value');
const die = statement(none)('select pg_terminate_backend(pg_backend_pid())');
const status = statement({ inTransaction: bool, at: instant })(
  `select now() <> statement_timestamp() as "inTransaction", now() as at`,
);

const kept = async () => (await connection.pool.query('select value from kept order by value')).rows;

test('reads go out with BEGIN, and the ending with COMMIT', async () => {
  const result = await connection.db.transaction(async (tx) => {
    const [[one], [two]] = await tx.ask(echo(1), echo(2));
    const values = [one?.value, two?.value];
    return new FinalStatements([keep(3), keep(4)], (rows) => [...values, ...rows.flat()]);
  });
  expect(result).toEqual([1, 2, { value: 3 }, { value: 4 }]);
  expect(heard.writes).toEqual([
    ['begin', 'select $1::int as value', 'select $1::int as value'],
    [...Array(2).fill('insert into kept values ($1) returning value'), 'commit'],
  ]);
  expect(await kept()).toEqual([{ value: 3 }, { value: 4 }]);
});

test.each([
  ['insert into a values (1)', true],
  ['with b as (delete from a) select', true],
  ['update a set b = 1', true],
  ['update a as c\n set b = 1', true],
  ['select * from a for update', false],
  ['select * from a for update of a', false],
  ['select * from a for no key update', false],
])('%j writes: %s', (text, writes) => {
  expect(statement(none)(text)()).toMatchObject({ writes });
});

test('drizzle takes part: what it asks for first waits for BEGIN', async () => {
  await connection.db.transaction(async (tx) => {
    await tx.execute(sql`insert into kept values (1)`);
    const [[found]] = await tx.ask(status());
    expect(found?.at).toBeInstanceOf(Date);
    expect(found?.inTransaction).toBe(true);
  });
  expect(heard.writes.map((each) => each.length)).toEqual([1, 1, 1, 1]);
  expect(await kept()).toEqual([{ value: 1 }]);
});

test('a failure among the first statements fails the later ones, is the one told, and ends with ROLLBACK', async () => {
  let later: unknown;
  const failed = connection.db.transaction(async (tx) => {
    await tx.ask(echo(1), divide(0), echo(2)).catch(async (error: unknown) => {
      later = await tx.ask(keep(1)).catch(sqlState);
      throw error;
    });
  });
  await expect(failed).rejects.toMatchObject({ code: '22012' });
  expect(later).toBe('22012');
  expect(heard.writes.at(-1)).toEqual(['rollback']);
  expect(await kept()).toEqual([]);
});

test('a failure among the last statements stores nothing of them', async () => {
  const failed = connection.db.transaction(async (tx) => {
    await tx.ask(echo(1));
    return new FinalStatements([keep(1), divide(0), keep(2)], () => 'stored');
  });
  await expect(failed).rejects.toMatchObject({ code: '22012' });
  expect(await kept()).toEqual([]);
});

test('work that refuses stores nothing', async () => {
  const failed = connection.db.transaction(async (tx) => {
    await tx.ask(keep(1));
    throw new Error('refused');
  });
  await expect(failed).rejects.toThrow('refused');
  expect(await kept()).toEqual([]);
});

test.each([
  { moment: 'among the first', work: [die(), echo(1), echo(2)], last: [keep(1)] },
  { moment: 'among the last', work: [echo(1)], last: [keep(1), die(), keep(2)] },
])('a connection that dies $moment statements fails them all and is not used again', async ({ work, last }) => {
  const failed = connection.db.transaction(async (tx) => {
    await tx.ask(...work);
    return new FinalStatements(last, () => 'stored');
  });
  await expect(failed).rejects.toMatchObject({ code: '57P01' });
  expect(await kept()).toEqual([]);
});

test('a transaction within another is undone alone', async () => {
  await connection.db.transaction(async (tx) => {
    await tx.ask(keep(1));
    const inner = tx.transaction(async (within) => {
      await within.ask(keep(2));
      throw new Error('refused');
    });
    await expect(inner).rejects.toThrow('refused');
    expect(await tx.transaction(async () => new FinalStatements([keep(3)], ([rows]) => rows))).toEqual([{ value: 3 }]);
  });
  expect(await kept()).toEqual([{ value: 1 }, { value: 3 }]);
});
