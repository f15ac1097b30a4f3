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

test('a database from before 1.0 is refused, and left as it was', async () => {
  await query(`create schema drizzle; create table drizzle.__drizzle_migrations (hash text, created_at bigint);
    insert into drizzle.__drizzle_migrations values ('former', 1795946274787)`);
  await expect(migrate({ ...server, database })).rejects.toThrow(
    "d'avant la 1.0, que celle-ci ne reprend pas : démarrez la version qui l'a faite",
  );
  expect(await listTables()).toEqual(['drizzle.__drizzle_migrations']);
});

test('a database that a newer version has brought further is refused, and left as it was', async () => {
  await migrate({ ...server, database });
  await query(`insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 9795403320996);
    create table of_the_newer_version (id integer)`);
  const before = await listTables();
  await expect(migrate({ ...server, database })).rejects.toThrow(
    "Cette base de données est d'une version plus récente de Guichet : démarrez celle-là",
  );
  expect(await listTables()).toEqual(before);
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
