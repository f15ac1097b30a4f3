import pg from 'pg';

/** How many tables and indexes there are. */
export const relations = "select count(*)::int as count from pg_class where relnamespace = 'public'::regnamespace";

/** The rows that a database answers on a connection of its own. */
export async function askOn<Row extends pg.QueryResultRow>(config: pg.ClientConfig, query: string): Promise<Row[]> {
  const client = new pg.Client(config);
  // What ends it is told by the query that fails.
  client.on('error', () => {});
  await client.connect();
  return (await client.query<Row>(query).finally(() => client.end())).rows;
}
