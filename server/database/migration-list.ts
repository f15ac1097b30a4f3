import path from 'node:path';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import type pg from 'pg';

/** Any number, as long as every process of every version uses the same one. */
export const migrationLock = 7_226_001;
export const migrationsFolder = path.join(import.meta.dirname, 'migrations');

export interface Migration {
  /** From 0, as its file is numbered. */
  number: number;
  /** By which drizzle's journal, and a database, know it. */
  when: number;
  statements: string[];
  hash: string;
}

/** All migrations of this version, the oldest first. */
export const listMigrations = (): Migration[] =>
  readMigrationFiles({ migrationsFolder }).map(({ sql, folderMillis, hash }, number) => ({
    number,
    when: folderMillis,
    statements: sql,
    hash,
  }));

/** Which of these migrations a database had last; undefined for one that has had none. */
export async function readLastMigration(client: pg.ClientBase): Promise<number | undefined> {
  const { rows: known } = await client.query<{ there: boolean }>(
    "select to_regclass('drizzle.__drizzle_migrations') is not null as there",
  );
  if (!known[0]?.there) return undefined;
  const { rows } = await client.query<{ when: string | null }>(
    'select max(created_at)::text as when from drizzle.__drizzle_migrations',
  );
  return rows[0]?.when ? Number(rows[0].when) : undefined;
}

/** Runs these migrations on an empty database, in the caller's transaction, and notes them where drizzle looks. */
export async function runOnEmpty(client: pg.ClientBase, migrations: readonly Migration[]): Promise<void> {
  await client.query('create schema drizzle');
  await client.query(
    'create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)',
  );
  for (const { statements, hash, when } of migrations) {
    for (const statement of statements) await client.query(statement);
    await client.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [hash, when]);
  }
}
