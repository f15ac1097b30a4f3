import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Connection, connect } from '#server/database/connect.ts';
import { bool, int, json, nullable, oneOf, text } from '#server/database/row-kinds.ts';
import { none, type Query, query, statement } from '#server/database/statement.ts';
import { FinalStatements } from '#server/database/transaction.ts';
import { CheckedClient } from './checked-client.ts';
import { startTestApi } from './test-api.ts';

let connection: Connection;
beforeAll(() => {
  connection = connect(inject('server'), () => {}, { Client: CheckedClient });
});
afterAll(() => connection.close());

const wrong: { fault: string; call: Query<unknown>; message: string }[] = [
  {
    fault: 'another name',
    call: statement({ total: int })('select 1 as sum')(),
    message: 'column total is not answered; column sum is not declared: select 1 as sum',
  },
  {
    fault: 'a column too many',
    call: statement({ one: int })('select 1 as one, 2 as two')(),
    message: 'column two is not declared',
  },
  {
    fault: 'two columns of one name',
    call: statement({ one: int })('select 1 as one, 2 as one')(),
    message: 'two of its columns have one name',
  },
  {
    fault: 'another type',
    call: statement({ count: int })('select count(*) from pg_class')(),
    message: 'column count is a INT8, not a INT4: select count(*)',
  },
  {
    fault: 'another type of a query',
    call: query({ known: bool })(sql`select ${'yes'}::text as known`),
    message: 'column known is a TEXT, not a BOOL',
  },
  {
    fault: 'a null',
    call: statement({ name: text })('select * from (values (null::text)) nothing(name)')(),
    message: 'column name is null: select * from',
  },
  {
    fault: 'none of few values',
    call: statement({ state: nullable(oneOf('sent', 'failed')) })(`select 'lost'::text as state`)(),
    message: 'column state has "lost", which is none of its values',
  },
];

test.each(wrong)(
  'a statement that answers $fault is refused, and leaves its connection good',
  async ({ call, message }) => {
    const refusal = `a statement is not as declared: ${message}`;
    await expect(connection.db.ask(call)).rejects.toThrow(refusal);
    await expect(connection.db.transaction((tx) => tx.ask(call))).rejects.toThrow(refusal);
    const last = connection.db.transaction(async () => new FinalStatements([call], ([rows]) => rows));
    await expect(last).rejects.toThrow(refusal);
    await expect(connection.db.ask({ ...call, isQuick: true })).rejects.toThrow(refusal);
    expect(connection.pool.totalCount).toBe(connection.pool.idleCount);
  },
);

test('types are refused where there is no row, too', async () => {
  const call = statement({ id: text })('select 1 as id where false');
  await expect(connection.db.ask(call())).rejects.toThrow('column id is a INT4, not a TEXT');
});

test('what answers as declared is answered, and so is a statement whose rows nobody reads', async () => {
  const declared = statement({ one: int, none: nullable(text), list: json<number[]>() })(
    `select 1 as one, null::text as none, '[2]'::jsonb as list`,
  );
  const locked = statement(none)('select pg_advisory_xact_lock(1), 2');
  const [rows, unread] = await connection.db.ask(declared(), locked());
  expect(rows).toEqual([{ one: 1, none: null, list: [2] }]);
  expect(unread).toHaveLength(1);
});

test("the tests' applications are checked", async () => {
  const api = await startTestApi();
  const asked = api.db.ask(statement({ one: text })('select 1 as one')());
  await expect(asked.finally(() => api.close())).rejects.toThrow('column one is a INT4, not a TEXT');
});
