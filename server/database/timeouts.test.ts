import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, expect, inject, test } from 'vitest';
import { untilBlocked } from '#server/testing/until-blocked.ts';
import { connect, DatabaseClient } from './connect.ts';
import { databaseLimits } from './limits.ts';
import { migrate } from './migrate.ts';
import { assertLimited } from './timeouts.ts';

const server = inject('server');
const database = `timeouts_${randomUUID().replaceAll('-', '')}`;

async function withClient<Result>(on: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ ...server, database: on });
  await client.connect();
  return work(client).finally(() => client.end());
}

await withClient('postgres', (client) => client.query(`create database ${database} template template0`));
await migrate({ ...server, database });
const connection = connect({ ...server, database }, () => {});
afterAll(async () => {
  await connection.close();
  await withClient('postgres', (client) => client.query(`drop database ${database} with (force)`));
});

const limits = [
  { name: 'idle_in_transaction_session_timeout', setting: String(databaseLimits.idleInTransactionMs) },
  { name: 'lock_timeout', setting: String(databaseLimits.lockMs) },
  { name: 'statement_timeout', setting: String(databaseLimits.statementMs) },
];
const asked = `select name, setting from pg_settings where name in (${limits.map(({ name }) => `'${name}'`).join()}) order by 1`;

test('the time limits hold on the connections of the application, and on any other of its role', async () => {
  expect((await connection.pool.query(asked)).rows).toEqual(limits);
  await expect(assertLimited(connection.pool)).resolves.toBeUndefined();
  expect((await withClient(database, (client) => client.query(asked))).rows).toEqual(limits);
});

test('they are no parameters of the connection, which a pooler would refuse', async () => {
  // A limit that came with the connection would be what a reset goes back to.
  await withClient('postgres', (client) => client.query(`alter role current_user in database ${database} reset all`));
  const other = connect({ ...server, database }, () => {});
  const client = await other.pool.connect();
  expect((await client.query(asked)).rows).toEqual(limits);
  await client.query('reset all');
  expect((await client.query(asked)).rows.map(({ setting }) => setting)).toEqual(['0', '0', '0']);
  client.release(true);
  await other.close();
  await migrate({ ...server, database });
  expect((await withClient(database, (again) => again.query(asked))).rows).toEqual(limits);
});

/** The statements that have a name after one was asked twice under it. */
async function listPrepared(client: pg.ClientBase): Promise<object[]> {
  for (const one of [1, 2]) {
    const { rows } = await client.query({ name: 'mine', text: 'select $1::int as one', values: [one] });
    expect(rows).toEqual([{ one }]);
  }
  return (await client.query("select name from pg_prepared_statements where name = 'mine'")).rows;
}

test('where it is the process that the connection began with, statements keep their names', async () => {
  const client = await connection.pool.connect();
  try {
    expect(await listPrepared(client)).toEqual([{ name: 'mine' }]);
  } finally {
    client.release();
  }
});

test('where another one answers, as behind a pooler, no statement has a name', async () => {
  const client: pg.Client = new DatabaseClient({ ...server, database });
  await client.connect();
  try {
    // As a pooler has it: what it tells is not the process that answers.
    Object.assign(client, { processID: 1 });
    await (client as DatabaseClient).prepare();
    expect(await listPrepared(client)).toEqual([]);
  } finally {
    await client.end();
  }
});

test('a process waits for the migrations of another one, and leaves no lock behind', async () => {
  const held = `select pid from pg_locks where locktype = 'advisory'
    and database = (select oid from pg_database where datname = current_database())`;
  await withClient(database, async (first) => {
    await first.query('begin');
    await first.query('select pg_advisory_xact_lock(7226001)');
    let done = false;
    const second = migrate({ ...server, database }).then(() => {
      done = true;
    });
    await withClient(database, (looker) => untilBlocked(looker, first));
    expect(done).toBe(false);
    await first.query('commit');
    await second;
  });
  expect((await withClient(database, (client) => client.query(held))).rows).toEqual([]);
});
