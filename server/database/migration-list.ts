import path from 'node:path';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import type pg from 'pg';
import { CannotStart } from '#server/process/cannot-start.ts';

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

/** All migrations of this version, the oldest first; of the versions before 1.0 none is left. */
export const listMigrations = (): Migration[] =>
  readMigrationFiles({ migrationsFolder }).map(({ sql, folderMillis, hash }, number) => ({
    number,
    when: folderMillis,
    statements: sql,
    hash,
  }));

/** When the migration was made that a database had last; undefined for one that has had none. */
export async function readLastMigration(client: pg.ClientBase | pg.Pool): Promise<number | undefined> {
  const { rows: known } = await client.query<{ there: boolean }>(
    "select to_regclass('drizzle.__drizzle_migrations') is not null as there",
  );
  if (!known[0]?.there) return undefined;
  const { rows } = await client.query<{ when: string | null }>(
    'select max(created_at)::text as when from drizzle.__drizzle_migrations',
  );
  return rows[0]?.when ? Number(rows[0].when) : undefined;
}

/** Throws `CannotStart` where a database that had this migration last is not whole before 1.0: the steps to there are no longer known. */
export async function refusePredecessor(client: pg.ClientBase, last: number | undefined): Promise<void> {
  const first = listMigrations()[0]?.when ?? 0;
  if (last === undefined || last > first) return;
  // What a database got last, after its migrations.
  const { rows } = await client.query<{ whole: boolean }>(
    "select exists (select from pg_index where indexrelid = to_regclass('tickets_plain_reference') and indisvalid) as whole",
  );
  if (last < first || !rows[0]?.whole)
    throw new CannotStart(
      "Cette base de données est d'une version de Guichet d'avant la 1.0 : démarrez-la d'abord une fois avec la dernière version d'avant la 1.0, puis avec celle-ci.",
    );
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
