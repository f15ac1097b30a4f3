import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { migrate } from './migrate.ts';

const server = inject('server');
let database: string;

async function query(sql: string, on = database) {
  const client = new pg.Client({ ...server, database: on });
  await client.connect();
  return client.query(sql).finally(() => client.end());
}

beforeEach(async () => {
  database = `migrate_${randomUUID().replaceAll('-', '')}`;
  await query(`create database ${database} template template0`, 'postgres');
});
afterEach(() => query(`drop database ${database} with (force)`, 'postgres'));

const listTables = async () =>
  (
    await query(`select table_schema || '.' || table_name as name from information_schema.tables
                 where table_schema not in ('pg_catalog', 'information_schema') order by 1`)
  ).rows.map((row) => row.name as string);

test('two at once on an empty database both succeed, and each step is done once', async () => {
  await Promise.all([migrate({ ...server, database }), migrate({ ...server, database })]);
  const tables = await listTables();
  for (const name of ['users', 'tickets', 'services', 'commission_ranges', 'once_flags', 'audit_log'])
    expect(tables).toContain(`public.${name}`);
  expect(tables.some((name) => name.startsWith('graphile_worker.'))).toBe(true);
  const { rows } = await query('select hash, count(*)::int as times from drizzle.__drizzle_migrations group by hash');
  expect(rows.length).toBeGreaterThanOrEqual(2);
  expect(rows.every((row) => row.times === 1)).toBe(true);
  const triggers = await query(
    "select count(*)::int as count from pg_trigger where tgname = 'tickets_announce_insert'",
  );
  expect(triggers.rows).toEqual([{ count: 1 }]);
});

test('another one on a database in use changes nothing and loses nothing', async () => {
  await migrate({ ...server, database });
  await query("insert into payment_types (name) values ('Wave')");
  const before = await listTables();
  await Promise.all(Array.from({ length: 4 }, () => migrate({ ...server, database })));
  expect(await listTables()).toEqual(before);
  expect((await query('select name from payment_types')).rows).toEqual([{ name: 'Wave' }]);
});

test('an index is built on tables that are in use, and nobody has to wait for the turn of the migrations to end', async () => {
  await migrate({ ...server, database });
  await query('drop index users_search');
  await query("delete from online_steps where name = 'search of users'");
  await query(
    "insert into users (phone, country_code, first_name, last_name) values ('+22670000001', '+226', 'Awa', 'Diallo')",
  );
  await migrate({ ...server, database });
  const { rows } = await query("select indisvalid from pg_index where indexrelid = 'users_search'::regclass");
  expect(rows).toEqual([{ indisvalid: true }]);
});

test('one that fails leaves no half of a step, lets the lock go, and the next one goes through', async () => {
  await query('create table tickets (id integer)');
  await expect(migrate({ ...server, database })).rejects.toThrow();
  expect(await listTables()).not.toContain('public.users');
  const locks = `select pid from pg_locks
     where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())`;
  // PostgreSQL lets go of them when it has noticed that the connection ended.
  await expect.poll(async () => (await query(locks)).rows).toEqual([]);
  await query('drop table tickets');
  await migrate({ ...server, database });
  expect(await listTables()).toContain('public.users');
});

test('a server that cannot be reached is an error, not a hang', async () => {
  await expect(migrate({ ...server, database: 'not_there' })).rejects.toThrow();
});
