import pg from 'pg';

/**
 * Does work while another connection has every table to itself but those of the change feed: what asks for a row waits, until
 * it is refused.
 */
export async function whileLocked<Result>(config: pg.ClientConfig, work: () => Promise<Result>): Promise<Result> {
  const holder = new pg.Client(config);
  await holder.connect();
  try {
    await holder.query(`
      begin;
      set local idle_in_transaction_session_timeout = 0;
      do $$
      declare each text;
      begin
        for each in select tablename from pg_tables where schemaname = 'public' and tablename not in ('changes', 'change_feed')
        loop
          execute format('lock table %I in access exclusive mode', each);
        end loop;
      end $$`);
    return await work();
  } finally {
    await holder.end();
  }
}

/** Does work while another transaction holds what this SQL takes; then that is rolled back. */
export async function whileHeld(
  pool: pg.Pool,
  taking: string,
  work: (holder: pg.PoolClient) => Promise<void>,
): Promise<void> {
  const holder = await pool.connect();
  try {
    await holder.query(`begin; set local idle_in_transaction_session_timeout = 0; ${taking}`);
    await work(holder);
  } finally {
    await holder.query('rollback');
    holder.release();
  }
}
