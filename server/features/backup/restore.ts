import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { listMigrations, type Migration, migrate, migrationLock, runOnEmpty } from '#server/database/migrate.ts';
import { CannotStart } from '#server/process/cannot-start.ts';
import { unlessAborted } from '#server/process/unless-aborted.ts';
import { begin, copied, isOurs, listTables, onOwnConnection } from './database.ts';
import type { BackupFile, Manifest } from './format.ts';
import { readBackup, verifyBackup } from './read-backup.ts';

/**
 * Restores a backup into an empty database, and migrates that to this version. `open` is called when the whole file was verified. All
 * tables are made and filled in one transaction. Throws `CannotStart`, and leaves the database empty, for what cannot be restored.
 */
export async function restore(source: BackupFile, open: () => Promise<pg.ClientConfig>): Promise<Manifest> {
  const { signal } = source;
  const manifest = await verifyBackup(source);
  const migrations = requireMigrations(manifest);
  const config = { ...(await open()), application_name: 'guichet restore' };
  await onOwnConnection(config, signal, async (client) => {
    try {
      await begin(client);
      await requireEmpty(client);
      await fill(client, source, migrations);
    } catch (cause) {
      signal?.throwIfAborted();
      if (cause instanceof CannotStart) throw cause;
      const { message } = cause as Error;
      throw new CannotStart(`La restauration a échoué et n'a rien laissé dans la base (${message}).`, { cause });
    }
    await client.query('commit');
  });
  await unlessAborted(signal, () => migrate(config));
  return manifest;
}

/** The migrations that a backup's database had had. Throws `CannotStart` where this version does not know them. */
function requireMigrations({ migration: { number, when } }: Manifest): Migration[] {
  const all = listMigrations();
  const last = all.findIndex((each) => each.when === when);
  if (when < (all[0]?.when ?? 0))
    throw new CannotStart(
      "Cette sauvegarde est d'une version de Guichet d'avant la 1.0, que celle-ci ne reprend pas : restaurez-la avec la version qui l'a faite.",
    );
  if (last < 0)
    throw new CannotStart(
      `Cette sauvegarde est d'une version de Guichet que celle-ci ne connaît pas (migration ${number}) : restaurez-la avec cette version-là, ou une plus récente.`,
    );
  return all.slice(0, last + 1);
}

/** Throws `CannotStart` for a database in which anything is, whosever it is. */
async function requireEmpty(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ isMine: boolean; isFilled: boolean }>(
    `select pg_try_advisory_xact_lock(${migrationLock}) as "isMine",
            to_regnamespace('drizzle') is not null or exists (select from pg_class c where ${isOurs}) as "isFilled"`,
  );
  if (rows[0]?.isFilled)
    throw new CannotStart(
      "La base de données n'est pas vide : une sauvegarde ne se restaure que dans une base neuve. Donnez un autre dossier par DATA_DIR, ou créez une base et nommez-la dans DATABASE_URL.",
    );
  if (!rows[0]?.isMine)
    throw new CannotStart('Guichet est en train de préparer cette base de données : arrêtez-le, puis réessayez.');
}

/** Triggers rest, since the backup has what they wrote; foreign keys are checked over all rows at the end. */
async function fill(client: pg.Client, source: BackupFile, migrations: readonly Migration[]): Promise<void> {
  await runOnEmpty(client, migrations);
  const tables = new Map((await listTables(client)).map((table) => [table.name, `public.${table.name}`]));
  const { rows: foreignKeys } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as "table", quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
  );
  for (const { table, name } of foreignKeys) await client.query(`alter table ${table} drop constraint ${name}`);
  for (const table of tables.values()) await client.query(`alter table ${table} disable trigger user`);
  // Migrations wrote some rows.
  await client.query(`truncate ${[...tables.values()].join(', ')}`);
  const manifest = await readBackup(source, async (table, rows) => {
    // A table that an operator made beside the product's is theirs to restore.
    if (!tables.has(table.name)) for await (const _piece of rows);
    else await pipeline(rows, client.query(copyFrom(`copy ${copied(table)} from stdin`)));
  });
  for (const { table, name, definition } of foreignKeys)
    await client.query(`alter table ${table} add constraint ${name} ${definition}`);
  for (const table of tables.values()) await client.query(`alter table ${table} enable trigger user`);
  for (const { name, last } of manifest.sequences)
    await client.query(
      `select setval(c.oid, $2) from pg_class c where c.relkind = 'S' and c.relname = $1 and ${isOurs}`,
      [name, last],
    );
  // Another server's, and mended since: the restored database complains of its own.
  await client.query('delete from backups where failure is not null');
  await client.query('analyze');
}
