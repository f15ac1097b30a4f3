import { randomUUID } from 'node:crypto';
import { runMigrations as migrateJobs } from 'graphile-worker';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { listMigrations, migrate, quietJobLogger, runOnEmpty } from './migrate.ts';

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

/** Brings the empty database to where it was before the migration that says so. */
async function runUntil(words: string) {
  const client = new pg.Client({ ...server, database });
  await client.connect();
  const end = listMigrations().findIndex(({ statements }) => statements.join().includes(words));
  await client.query('begin');
  await runOnEmpty(client, listMigrations().slice(0, end));
  await client.query('commit');
  await client.end();
}

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

test('a database whose steps of earlier versions were not all done has what a new one has, its counts included', async () => {
  const at = { ...server, database };
  const shape = `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) || indisvalid as what from pg_index
    where indrelid = 'tickets'::regclass union all select conname, convalidated::text from pg_constraint
    where conrelid = 'tickets'::regclass order by 1`;
  await migrate(at);
  const { rows: wanted } = await query(shape);
  await query(`drop database ${database} with (force)`, 'postgres');
  await query(`create database ${database} template template0`, 'postgres');
  await runUntil('DROP TABLE online_steps');
  await query(`
    insert into users (phone, first_name, last_name, created_at) values ('+22670000001', 'Awa', 'Diallo', '2026-01-01T10:30Z');
    delete from tally_changes;
    set session_replication_role = replica;
    update users set search_text = 'former'`);
  await migrate(at);
  expect((await query(shape)).rows).toEqual(wanted);
  expect((await query("select search_text ~ 'awa' as is_folded from users")).rows).toEqual([{ is_folded: true }]);
  expect((await query('select what, hour, count from tallies order by 1')).rows).toEqual([
    { what: 'all users', hour: new Date(0), count: 1 },
    { what: 'users', hour: new Date('2026-01-01T10:00Z'), count: 1 },
  ]);
});

test('jobs of earlier versions that nobody does any more are gone, and others wait on', async () => {
  await runUntil('call_alarm_webhook');
  const pgPool = new pg.Pool({ ...server, database });
  await migrateJobs({ pgPool, logger: quietJobLogger }).finally(() => pgPool.end());
  await query(`select graphile_worker.add_job(name)
    from unnest(array['call_alarm_webhook', 'send_sms', 'watch', 'read_payment_message']) name`);
  await migrate({ ...server, database });
  expect((await query('select task_identifier as name from graphile_worker.jobs')).rows).toEqual([
    { name: 'send_sms' },
  ]);
});

test('a message that waited to be read by a job is a person’s to read', async () => {
  await runUntil("state = 'unread', why = 'Ce message attendait");
  await query(`
    insert into payment_types (name) values ('Orange Money');
    insert into payment_accounts (payment_type_id, country, number, label) select id, '+226', '1', 'Caisse' from payment_types;
    insert into payment_messages (account_id, content_hash, state) select id, state, state
      from payment_accounts, unnest(array['waiting', 'parsed']) state`);
  await migrate({ ...server, database });
  expect((await query('select content_hash as was, state, why from payment_messages order by 1')).rows).toEqual([
    { was: 'parsed', state: 'parsed', why: null },
    { was: 'waiting', state: 'unread', why: expect.any(String) },
  ]);
});

test("merchant numbers of codes move to their wallet and country, and the example's becomes the placeholder", async () => {
  await runUntil('TABLE "merchant_numbers"');
  await query(`
    insert into payment_types (name) values ('Orange Money');
    insert into dial_templates (payment_type_id, country, template, merchant) values
      (1, '+226', '*144*10*{marchand}*XX#', '1234567'), (1, '+223', '*144*2*XX#', ''),
      (1, '+221', '*144*{marchand}*XX#', '00000000'), (1, '+225', '*144*00000000*00000000*XX#', '00000000');
    insert into services (name, phone_number) values
      ('Code', '*144*10*00000000*XX#'), ('Numéro', '+225 0700000000'), ('Sans', null), ('Autre', '*144*1*1234567*XX#')`);
  await migrate({ ...server, database });
  expect((await query('select payment_type_id, country, number from merchant_numbers')).rows).toEqual([
    { payment_type_id: 1, country: '+226', number: '1234567' },
  ]);
  expect((await query('select phone_number as code from services order by id')).rows.map(({ code }) => code)).toEqual([
    '*144*10*{marchand}*XX#',
    '+225 0700000000',
    null,
    '*144*1*1234567*XX#',
  ]);
  expect((await query("select template from dial_templates where country = '+225'")).rows).toEqual([
    { template: '*144*{marchand}*{marchand}*XX#' },
  ]);
});

test('a database from before 1.0 is refused, and left as it was', async () => {
  await query(`create schema drizzle; create table drizzle.__drizzle_migrations (hash text, created_at bigint);
    insert into drizzle.__drizzle_migrations values ('former', 1795403320996)`);
  await expect(migrate({ ...server, database })).rejects.toThrow(
    "démarrez-la d'abord une fois avec la dernière version d'avant la 1.0",
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
