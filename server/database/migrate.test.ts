import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { eventually } from '#server/testing/eventually.ts';
import { migrate } from './migrate.ts';
import { listMigrations, runOnEmpty } from './migration-list.ts';

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

test('a step builds an index on a table in use while another process waits its turn; it runs once, and again where it was broken off', async () => {
  await migrate({ ...server, database });
  await query(
    "insert into users (phone, country_code, first_name, last_name) values ('+22670000001', '+226', 'Awa', 'Diallo')",
  );
  const at = { ...server, database };
  const broken = {
    'names of users': async (client: pg.ClientBase) => {
      await client.query('begin; update users set last_name = null');
    },
  };
  await expect(migrate(at, broken)).rejects.toThrow('null value in column "last_name"');
  let second: Promise<unknown> = Promise.resolve();
  const steps = {
    'names of users': async (client: pg.ClientBase) => {
      second = migrate(at, steps);
      // It has looked whether it is its turn.
      const waits = "select from pg_stat_activity where datname = current_database() and query = 'rollback'";
      await eventually(async () => expect((await query(waits)).rowCount).toBe(1));
      await client.query('create index concurrently users_names on users (last_name)');
    },
  };
  expect((await migrate(at, steps)).steps).toEqual(['names of users']);
  expect(await second).toEqual({ migrations: [], steps: [] });
  const { rows } = await query("select indisvalid from pg_index where indexrelid = 'users_names'::regclass");
  expect(rows).toEqual([{ indisvalid: true }]);
});

describe('a database from before 1.0', () => {
  const records = 'drizzle.__drizzle_migrations';
  /** When the last two migrations before 1.0 were made, as drizzle's table keeps them. */
  const [secondLast, last] = [1795403320996, 1795404573977];
  /** All migrations but that of the tables. */
  const later = listMigrations()
    .slice(1)
    .map(({ number }) => number);
  const former = async (...made: number[]) => {
    const client = new pg.Client({ ...server, database });
    await client.connect();
    await runOnEmpty(client, listMigrations().slice(0, 1)).finally(() => client.end());
    await query(`delete from ${records}`);
    for (const [at, when] of made.entries())
      await query(`insert into ${records} (hash, created_at) values ('former ${at}', ${when})`);
    await query("insert into payment_types (name) values ('Wave')");
  };

  test('that had all its migrations goes on, with new triggers and what was in it', async () => {
    await former(secondLast, last);
    await query(`
      create function announce_update_of_users() returns trigger language plpgsql as 'begin return null; end';
      create trigger tickets_announce_update after update on tickets execute function announce_update_of_users()`);
    expect(await migrate({ ...server, database })).toMatchObject({ migrations: later });
    const { rows } = await query(
      "select tgfoid::regproc::text as name from pg_trigger where tgname = 'tickets_announce_update'",
    );
    expect(rows).toEqual([{ name: 'announce_of_users' }]);
    expect((await query('select name from payment_types')).rows).toEqual([{ name: 'Wave' }]);
    expect(await migrate({ ...server, database })).toEqual({ migrations: [], steps: [] });
  });

  test('that lacks a migration or its last index is refused, and left as it was', async () => {
    const refused = "démarrez-la d'abord une fois avec la dernière version d'avant la 1.0";
    await former(secondLast);
    await expect(migrate({ ...server, database })).rejects.toThrow(refused);
    expect((await query(`select count(*)::int as count from ${records}`)).rows).toEqual([{ count: 1 }]);

    await query(`insert into ${records} (hash, created_at) values ('former 1', ${last})`);
    await query('drop index tickets_plain_reference');
    await expect(migrate({ ...server, database })).rejects.toThrow(refused);
    expect((await query('select name from payment_types')).rows).toEqual([{ name: 'Wave' }]);
  });
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
