import pg from 'pg';

/**
 * Gives a database a clock that stands until a test sets it: from the next connection on, `now()` and `clock_timestamp()` in
 * statements, functions and defaults are functions of the tests, which stand before PostgreSQL's in the search path.
 */
export async function setUpClock(config: pg.ClientConfig, at: string): Promise<void> {
  const client = new pg.Client(config);
  await client.connect();
  try {
    await client.query(`
      create schema test_clock;
      create table test_clock.time (at timestamptz not null);
      insert into test_clock.time values ('epoch');
      create function test_clock.now() returns timestamptz stable language sql as 'select at from test_clock.time';
      create function test_clock.clock_timestamp() returns timestamptz volatile language sql as 'select test_clock.now()';
      alter database ${config.database} set search_path = public, test_clock, pg_catalog;
      set search_path = public, test_clock, pg_catalog;
      do $$
      declare each record;
      begin
        for each in select table_schema, table_name, column_name, column_default from information_schema.columns
          where column_default like '%pg_catalog.now()%' and table_schema not in ('pg_catalog', 'information_schema')
        loop
          execute format('alter table %I.%I alter column %I set default %s',
            each.table_schema, each.table_name, each.column_name, replace(each.column_default, 'pg_catalog.', ''));
        end loop;
      end $$`);
    await setClock(client, at);
  } finally {
    await client.end();
  }
}

/** Sets the clock of such a database. */
export async function setClock(connection: pg.ClientBase | pg.Pool, at: string): Promise<void> {
  await connection.query('update test_clock.time set at = $1', [at]);
}
