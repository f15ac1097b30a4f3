import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { PrimaryOnlyClient } from '#server/database/clients.ts';
import { databaseLimits } from '#server/process/limits.ts';

/** A table of the product, as PostgreSQL knows it. */
export interface Table {
  name: string;
  columns: string[];
  /** What its rows are put in order by: the same order in every database, whatever its collation. */
  order: string;
}

/**
 * What is not kept of the database, beside what PostgreSQL does not log (the change feed) and the job queue: what follows
 * from the rest, and is made again by the steps after the migrations (`server/database/online-steps.ts`). `image_owner` is of
 * databases before migration 18.
 */
const leftOut = ['tallies', 'tally_changes', 'online_steps', 'image_owner'];

const quote = pg.escapeIdentifier;

/** The tables that a backup keeps, in the order of their names. */
export async function listTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; key: string[] | null }>(
    `select c.relname as name,
            array(select a.attname::text from pg_attribute a
                  where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
            array(select quote_ident(a.attname) || case when a.attcollation <> 0 then ' collate "C"' else '' end
                  from pg_index i cross join unnest(i.indkey::int2[]) with ordinality as k(attnum, place)
                  join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
                  where i.indrelid = c.oid and i.indisprimary order by k.place) as key
     from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
       and c.relname <> all($1) and ${ofNoExtension}
     order by c.relname collate "C"`,
    [leftOut],
  );
  return rows.map(({ name, columns, key }) => ({ name, columns, order: (key ?? []).join(', ') }));
}

/** SQL of `pg_class c`. */
export const ofNoExtension =
  "not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')";

const ofPublic = (name: string) => `public.${quote(name)}`;
const listOf = (columns: readonly string[]) => columns.map(quote).join(', ');

/** The statement that writes a table out, always in one order. */
export const copyOut = ({ name, columns, order }: Table) =>
  `copy (select ${listOf(columns)} from ${ofPublic(name)}${order && ` order by ${order}`}) to stdout`;

export const copyIn = ({ name, columns }: Pick<Table, 'name' | 'columns'>) =>
  `copy ${ofPublic(name)} (${listOf(columns)}) from stdin`;

/** Has the transaction write values in one way, whatever the server's own settings, and end after no time. */
export async function setTransactionDefaults(client: pg.ClientBase): Promise<void> {
  await client.query(
    `select set_config(wanted.name, value, true)
     from (values ('datestyle', 'ISO, YMD'), ('intervalstyle', 'postgres'), ('timezone', 'UTC'), ('extra_float_digits', '1'),
                  ('bytea_output', 'hex'), ('statement_timeout', '0'), ('lock_timeout', '0'),
                  ('idle_in_transaction_session_timeout', '0'), ('transaction_timeout', '0')) wanted (name, value)
     join pg_settings known on lower(known.name) = wanted.name`,
  );
}

/** Where sequences that were used stand now: at the highest number that any row in the snapshot can have, or above. */
export async function listSequences(client: pg.ClientBase): Promise<{ name: string; last: string }[]> {
  const { rows } = await client.query<{ name: string; last: string }>(
    `select sequencename as name, last_value::text as last from pg_sequences
     where schemaname = 'public' and last_value is not null order by sequencename collate "C"`,
  );
  return rows;
}

/** Works on a connection of its own. When the signal aborts it ends at once, whatever statement waits. */
export async function onOwnConnection<Result>(
  config: pg.ClientConfig,
  signal: AbortSignal | undefined,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new PrimaryOnlyClient({
    ...config,
    keepAlive: true,
    connectionTimeoutMillis: databaseLimits.connectAtStartMs,
  });
  const hangUp = () => client.end().catch(() => {});
  await client.connect();
  signal?.addEventListener('abort', hangUp, { once: true });
  try {
    return await work(client);
  } finally {
    signal?.removeEventListener('abort', hangUp);
    // A peer that is gone does not answer the end.
    await Promise.race([hangUp(), pause(databaseLimits.connectAtStartMs, undefined, { ref: false })]);
  }
}
