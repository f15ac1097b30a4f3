import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { PrimaryOnlyClient } from '#server/database/clients.ts';
import { connect, sqlState, wasUndone } from '#server/database/connect.ts';
import { migrate } from '#server/database/migrate.ts';
import { listMigrations, type Migration } from '#server/database/migration-list.ts';
import { takeInImages } from '#server/features/uploads/take-in-images.ts';
import { CannotStart } from '#server/process/cannot-start.ts';
import { unlessAborted } from '#server/process/unless-aborted.ts';
import { makeTables, requireEmpty } from './empty-database.ts';
import type { Manifest } from './format.ts';
import { looking, readBackup, type Source, verifyBackup } from './read-file.ts';
import { copyIn, copyOut, onOwnConnection, setTransactionDefaults, type Table } from './schema.ts';
import { Summing } from './sums.ts';

/** Where a backup is restored to, opened when the backup was found to be whole and of a version that is known. */
export interface Place {
  config: pg.ClientConfig;
}

/**
 * Restores a backup into an empty database, and brings it to this version. Before anything is written the whole file is
 * verified; all tables are written, and compared with what was saved, in one transaction. Throws `CannotStart`, and leaves the
 * database empty, for what cannot be restored.
 */
export async function restore(
  source: Source,
  open: () => Promise<Place>,
  tell: (progress: string) => void = () => {},
): Promise<Manifest> {
  const manifest = await verifyBackup(source);
  const migrations = requireMigrations(manifest);
  tell('La sauvegarde est entière : la restauration commence.');
  const { config } = await open();
  // Images that were files then, until there is a table for them.
  const files = await mkdtemp(path.join(os.tmpdir(), 'guichet-images-'));
  try {
    await onOwnConnection({ ...config, application_name: 'guichet restore' }, source.signal, async (client) => {
      let isCommitting = false;
      try {
        await client.query('begin');
        await setTransactionDefaults(client);
        await requireEmpty(client);
        await fill(client, { source, manifest, migrations, files });
        source.signal?.throwIfAborted();
        isCommitting = true;
        await client.query('commit');
      } catch (error) {
        const isUndone = !isCommitting || wasUndone(error);
        throw source.signal?.aborted ? source.signal.reason : (isUndone && whyStopped(error)) || error;
      }
    });
    tell('Les données sont là : la base est mise à la version de Guichet.');
    await unlessAborted(source.signal, () => migrate(config));
    await unlessAborted(source.signal, () => takeInFiles(config, files, tell));
    await unlessAborted(source.signal, () => refreshStatistics(config));
  } finally {
    await rm(files, { recursive: true, force: true });
  }
  return manifest;
}

/** The migrations that a backup's database had had. Throws `CannotStart` where it had others than this version knows. */
function requireMigrations({ migration }: Manifest): Migration[] {
  const all = listMigrations();
  const at = all.findIndex(({ when }) => when === migration.when);
  if (at >= 0) return all.slice(0, at + 1);
  if (migration.when < (all[0]?.when ?? 0))
    throw new CannotStart(
      "Cette sauvegarde est d'une version de Guichet d'avant la 1.0 : restaurez-la avec la dernière version d'avant la 1.0, puis faites-en une nouvelle.",
    );
  throw new CannotStart(
    `Cette sauvegarde est d'une version plus récente de Guichet (migration ${migration.number}, celle-ci va jusqu'à ${all.length - 1}) : restaurez-la avec cette version-là.`,
  );
}

interface Filling {
  source: Source;
  manifest: Manifest;
  migrations: Migration[];
  /** A folder for the images that are files in the backup. */
  files: string;
}

async function fill(client: pg.Client, { source, manifest, migrations, files }: Filling): Promise<void> {
  const { tables, close } = await makeTables(client, migrations);
  const missing = [...tables.keys()].filter((name) => !manifest.tables.some((each) => each.name === name));
  if (missing.length > 0)
    throw new CannotStart(`Il manque à la sauvegarde ce que Guichet y met toujours (${missing.join(', ')}).`);
  const read = await readBackup(source, {
    image: (name, bytes) => writeFile(path.join(files, path.basename(name)), bytes),
    async table(name, data) {
      const table = tables.get(name);
      const { columns } = manifest.tables.find((saved) => saved.name === name) ?? {};
      // A table that an operator made beside the product's is theirs to bring.
      if (!table || !columns) return looking.table(name, data);
      if (columns.some((column) => !table.columns.includes(column))) throw notRestored(`table ${name}`);
      await pipeline(data, client.query(copyFrom(copyIn({ name, columns }))), { signal: source.signal });
    },
  });
  if (!isDeepStrictEqual(read, manifest)) throw new CannotStart('La sauvegarde a changé pendant sa restauration.');
  await close();
  for (const { name, last } of manifest.sequences)
    await client.query(
      `select setval(s.oid, $2::bigint) from pg_class s
       where s.relnamespace = 'public'::regnamespace and s.relkind = 'S' and s.relname = $1`,
      [name, last],
    );
  await compare(client, tables, manifest);
  await closeWhatWaited(client);
  for (const table of waysIn) await client.query(`delete from ${table}`);
  await client.query('update otp_flows set closed_at = now() where closed_at is null');
}

/**
 * What opens an account without a password, and what its browsers are told, which `endAccountAccess` ends: with a session of then would
 * come back who was signed out since, by a new password, the loss of a role, or the next person on the same phone.
 */
const waysIn = ['sessions', 'push_subscriptions', 'reset_tokens'];

const notRestored = (what: string) =>
  new CannotStart(`La restauration a échoué et n'a rien laissé dans la base : ${what} n'est pas ce qui fut sauvé.`);

/** What is in the tables now is, row by row, what was saved. */
async function compare(client: pg.Client, tables: ReadonlyMap<string, Table>, manifest: Manifest): Promise<void> {
  for (const saved of manifest.tables) {
    const table = tables.get(saved.name);
    if (!table) continue;
    const summing = new Summing();
    for await (const piece of client.query(copyTo(copyOut({ ...table, columns: saved.columns })))) summing.add(piece);
    const { lines, sha256 } = summing.end();
    if (lines !== saved.rows || sha256 !== saved.sha256) throw notRestored(`table ${saved.name}`);
  }
}

/** What was under way then has no job here that would end it: messages are not sent, and unfinished backups go. */
async function closeWhatWaited(client: pg.Client): Promise<void> {
  await client.query("update sms_messages set status = 'expired', body = null where status = 'queued'");
  await client.query('delete from backups where finished_at is null');
}

async function takeInFiles(config: pg.ClientConfig, files: string, tell: (progress: string) => void): Promise<void> {
  const connection = connect(config, () => {});
  const error = ({ file }: { file: string }) =>
    tell(`L'image ${path.basename(file)} de la sauvegarde n'est pas entière : elle n'est pas restaurée.`);
  await takeInImages(connection.db, files, { error }).finally(() => connection.close());
}

/** Without figures on the new rows the planner would choose for an empty database until autovacuum comes by. */
async function refreshStatistics(config: pg.ClientConfig): Promise<void> {
  const client = new PrimaryOnlyClient(config);
  await client.connect();
  try {
    await client.query('begin; set local statement_timeout = 0; analyze; commit');
  } finally {
    await client.end();
  }
}

/** By the beginning of PostgreSQL's SQLSTATE (appendix A), or the code of the system's own error. */
const reasons: [beginning: string, reason: string][] = [
  ['53100', 'le disque de PostgreSQL est plein'],
  ['53200', "PostgreSQL n'a pas assez de mémoire"],
  ['53300', "PostgreSQL a déjà toutes les connexions qu'il accepte"],
  ['53', "PostgreSQL est à l'une de ses limites"],
  ['57P', "PostgreSQL s'arrête ou redémarre"],
  ['58', 'le disque de PostgreSQL est en panne'],
  ['ENOSPC', 'le disque du dossier temporaire est plein'],
];

/** The sentence for what keeps a restoration from going on though nothing is wrong with the backup; undefined for anything else. */
function whyStopped(error: unknown): CannotStart | undefined {
  const { code } = error as NodeJS.ErrnoException;
  const state = sqlState(error) ?? code ?? '';
  const [beginning = '', reason] = reasons.find(([each]) => state.startsWith(each)) ?? [];
  if (!reason) return undefined;
  const said = beginning === '53' ? ` (${(error as Error).message})` : '';
  return new CannotStart(
    `La restauration s'est arrêtée : ${reason}${said}. Rien n'est resté dans la base : remédiez-y, puis lancez la même commande.`,
    { cause: error },
  );
}
