import pg from 'pg';
import { CannotStart } from '#server/process/cannot-start.ts';
import { databaseLimits } from './limits.ts';

/** In milliseconds. As parameters of the connection itself a pooler such as pgbouncer refuses them. */
const timeouts = {
  statement_timeout: databaseLimits.statementMs,
  lock_timeout: databaseLimits.lockMs,
  idle_in_transaction_session_timeout: databaseLimits.idleInTransactionMs,
};

const setAll = Object.entries(timeouts)
  .map(([name, ms]) => `set ${name} = ${ms}`)
  .join('; ');

/** Gives this connection the time limits of the application, and answers which process of PostgreSQL is behind it now. */
export async function limitTime(client: pg.ClientBase): Promise<number | undefined> {
  const answers = (await client.query(`${setAll}; select pg_backend_pid() as pid`)) as unknown as pg.QueryResult<{
    pid: number;
  }>[];
  return answers.at(-1)?.rows[0]?.pid;
}

/** Makes the limits those of the role in its database, since a pooler opens connections to the server by itself. */
export async function limitTimeOfRole(client: pg.ClientBase): Promise<void> {
  const wanted = Object.entries(timeouts).map(([name, ms]) => `${name}=${ms}`);
  const { rows } = await client.query<{ database: string; settings: string[] | null }>(
    `select current_database() as database,
            (select setconfig from pg_db_role_setting
             where setdatabase = (select oid from pg_database where datname = current_database())
               and setrole = (select oid from pg_roles where rolname = current_user)) as settings`,
  );
  const [found] = rows;
  if (!found || wanted.every((each) => found.settings?.includes(each))) return;
  for (const [name, ms] of Object.entries(timeouts))
    await client.query(
      `alter role current_user in database ${pg.escapeIdentifier(found.database)} set ${name} = ${ms}`,
    );
}

/** Throws `CannotStart` where the server does not take them. */
export async function assertLimited(pool: pg.Pool): Promise<void> {
  // In one message: behind a pooler the next one may go to another connection.
  const answers = (await pool.query(
    `${setAll}; select name, setting from pg_settings where name in (${Object.keys(timeouts)
      .map((name) => `'${name}'`)
      .join()})`,
  )) as unknown as pg.QueryResult<{ name: keyof typeof timeouts; setting: string }>[];
  const rows = answers.at(-1)?.rows ?? [];
  const others = Object.keys(timeouts).filter(
    (name) => !rows.some((row) => row.name === name && Number(row.setting) === timeouts[row.name]),
  );
  if (others.length > 0)
    throw new CannotStart(`Ce serveur PostgreSQL n'accepte pas les délais ${others.join(', ')} de l'application.`);
}
