import pg from 'pg';
import { DatabaseClient } from '#server/database/connect.ts';
import { databaseLimits } from '#server/database/limits.ts';

/** A table of the product, as PostgreSQL knows it. */
export interface Table {
  name: string;
  columns: string[];
}

/**
 * Tables that sign somebody in without a password: a backup cannot know who was signed out since, so that nobody is after a
 * restoration. And messages, of which some wait with their text: after a restoration none of them is sent.
 */
const leftOut = ['sessions', 'push_subscriptions', 'reset_tokens', 'otp_flows', 'otp_codes', 'sms_messages'];

/** A condition on `pg_class c`: a table, index or sequence of the schema `public` that belongs to no extension. */
export const isOurs = `c.relnamespace = 'public'::regnamespace and not exists (
  select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`;

/** The tables that a backup keeps: not the job queue, nor what PostgreSQL does not log (the change feed). */
export async function listTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select c.relname as name,
            array(select attname::text from pg_attribute
                  where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum) as columns
     from pg_class c
     where c.relkind = 'r' and c.relpersistence = 'p' and c.relname <> all($1) and ${isOurs}
     order by c.relname collate "C"`,
    [leftOut],
  );
  return rows;
}

/** What COPY reads or writes of a table. */
export const copied = ({ name, columns }: Table) =>
  `public.${pg.escapeIdentifier(name)} (${columns.map(pg.escapeIdentifier).join(', ')})`;

/** Begins a transaction without time limits, in which COPY writes values in one way and one order, whatever the server's settings. */
export async function begin(client: pg.Client, mode = ''): Promise<void> {
  await client.query(`begin ${mode}`);
  await client.query(
    `select set_config(wanted.name, value, true)
     from (values ('datestyle', 'ISO, YMD'), ('intervalstyle', 'postgres'), ('timezone', 'UTC'), ('extra_float_digits', '1'),
                  ('bytea_output', 'hex'), ('synchronize_seqscans', 'off'), ('statement_timeout', '0'), ('lock_timeout', '0'),
                  ('idle_in_transaction_session_timeout', '0'), ('transaction_timeout', '0')) wanted (name, value)
     join pg_settings known on lower(known.name) = wanted.name`,
  );
}

/** Works on a connection of its own, which ends at once when the signal aborts, whatever statement waits. */
export async function onOwnConnection<Result>(
  config: pg.ClientConfig,
  signal: AbortSignal | undefined,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new DatabaseClient({ ...config, connectionTimeoutMillis: databaseLimits.connectAtStartMs });
  const hangUp = () => client.end().catch(() => {});
  await client.connect();
  signal?.addEventListener('abort', hangUp, { once: true });
  try {
    signal?.throwIfAborted();
    return await work(client);
  } finally {
    signal?.removeEventListener('abort', hangUp);
    await hangUp();
  }
}
