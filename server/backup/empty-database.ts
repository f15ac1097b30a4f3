import type pg from 'pg';
import { type Migration, migrationLock, runOnEmpty } from '#server/database/migration-list.ts';
import { CannotStart } from '#server/process/cannot-start.ts';
import { listTables, ofNoExtension, type Table } from './schema.ts';

/** Throws `CannotStart` for a database in which anything is, whosever it is. */
export async function requireEmpty(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ mine: boolean; filled: boolean }>(
    `select pg_try_advisory_xact_lock(${migrationLock}) as mine,
            to_regnamespace('drizzle') is not null or to_regnamespace('graphile_worker') is not null or exists (
              select from pg_class c where c.relnamespace = 'public'::regnamespace and ${ofNoExtension}
            ) as filled`,
  );
  if (rows[0]?.filled)
    throw new CannotStart(
      "La base de données n'est pas vide : une sauvegarde ne se restaure que dans une base neuve. Donnez un autre dossier par DATA_DIR, ou créez une base et nommez-la dans DATABASE_URL.",
    );
  if (!rows[0]?.mine)
    throw new CannotStart('Guichet est en train de préparer cette base de données : arrêtez-le, puis réessayez.');
}

/** Tables that wait for their rows: what checks each row, and what each is entered in, is put aside until they are there. */
export interface OpenTables {
  tables: ReadonlyMap<string, Table>;
  /** Makes what was put aside again, over all rows at once: a fraction of what it costs row by row. */
  close(): Promise<void>;
}

/** Makes the tables of these migrations, empty, in the caller's transaction. Triggers rest: the backup has what they wrote. */
export async function makeTables(client: pg.ClientBase, migrations: readonly Migration[]): Promise<OpenTables> {
  await runOnEmpty(client, migrations);
  const tables = await listTables(client);
  const ofTables = tables.map(({ name }) => `public.${name}`);
  const forAll = async (statements: readonly string[]) => {
    for (const statement of statements) await client.query(statement);
  };
  const ask = async (query: string) =>
    (await client.query<{ drop: string; make: string }>(query, [tables.map(({ name }) => name)])).rows;
  const references = await ask(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
            format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace and conrelid::regclass::text = any($1)`,
  );
  const indexes = await ask(
    `select format('drop index %s', indexrelid::regclass) as drop, pg_get_indexdef(indexrelid) as make
     from pg_index where indrelid::regclass::text = any($1)
       and not exists (select from pg_constraint where conindid = indexrelid)`,
  );
  for (const table of ofTables) await client.query(`alter table ${table} disable trigger user`);
  // Some of the rows of a new database are written by migrations.
  await client.query(`truncate ${ofTables.join(', ')}`);
  await forAll([...references, ...indexes].map(({ drop }) => drop));
  return {
    tables: new Map(tables.map((table) => [table.name, table])),
    async close() {
      await forAll([...indexes, ...references].map(({ make }) => make));
      await forAll(ofTables.map((table) => `alter table ${table} enable trigger user`));
    },
  };
}
