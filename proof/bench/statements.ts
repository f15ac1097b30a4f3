import pg from 'pg';
import type { Stage } from './stage.ts';

/** How often each statement of the application's role ran so far, by its text with `$1` for its values. */
export type Counts = Map<string, number>;

export interface StatementCounter {
  read(): Promise<Counts>;
}

/** From its next start on this server counts what it runs (pg_stat_statements). */
export async function loadCounter(superuser: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(superuser);
  await client.connect();
  await client.query("alter system set shared_preload_libraries = 'pg_stat_statements'");
  await client.query('create extension if not exists pg_stat_statements');
  await client.end();
}

/**
 * Counts what the product runs, exactly: PostgreSQL's own pg_stat_statements, which counts each statement that a client sends
 * (BEGIN and COMMIT too, what triggers run not), asked by another role than the product's.
 */
export async function countStatements(
  { ends }: Stage,
  superuser: pg.ClientConfig,
  { host, port, user: role }: pg.ClientConfig,
): Promise<StatementCounter> {
  const client = new pg.Client({ ...superuser, host, port });
  client.on('error', (error) => console.error(error.message));
  await client.connect();
  ends.add(() => client.end());
  return {
    async read() {
      const { rows } = await client.query<{ query: string; calls: number }>(
        `select query, sum(calls)::float8 as calls from pg_stat_statements
         where userid = (select oid from pg_roles where rolname = $1) group by query`,
        [role],
      );
      return new Map(rows.map(({ query, calls }) => [query, calls]));
    },
  };
}

/** What ran between two looks, the most frequent first. */
export function between(before: Counts, after: Counts): { query: string; calls: number }[] {
  return [...after]
    .map(([query, calls]) => ({ query: query.replace(/\s+/g, ' '), calls: calls - (before.get(query) ?? 0) }))
    .filter(({ calls }) => calls > 0)
    .sort((a, b) => b.calls - a.calls);
}

export const total = (ran: readonly { calls: number }[]) => ran.reduce((sum, { calls }) => sum + calls, 0);
