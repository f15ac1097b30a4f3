import type pg from 'pg';

/**
 * What a migration cannot do to a million rows without holding a lock for long: after the migrations each of these runs
 * once, outside any transaction, in batches of a moment each and by indexes that are built concurrently. Other processes
 * go on serving meanwhile. One that is broken off starts again where it was.
 */
const steps: Record<string, (client: pg.ClientBase) => Promise<void>> = {
  async 'audit log by actor'(client) {
    await buildIndex(client, 'audit_log_actor', 'audit_log (actor_id, id)');
  },
  async 'paths of tickets'(client) {
    await inBatches(client, 'tickets', [
      `insert into ticket_paths (folded)
       select distinct fold_path(service_path) from tickets where id between $1 and $2 and path_id is null
       on conflict (folded) do nothing`,
      `update tickets set path_id = ticket_paths.id from ticket_paths
       where tickets.id between $1 and $2 and path_id is null and ticket_paths.folded = fold_path(service_path)`,
    ]);
  },
  async 'tickets in the order of time'(client) {
    await buildIndex(client, 'tickets_filed', 'tickets (created_at, id)');
    await buildIndex(client, 'tickets_status_filed', 'tickets (status, created_at, id)');
    await buildIndex(client, 'tickets_path_filed', 'tickets (path_id, created_at, id)');
    await buildIndex(client, 'tickets_status_path_filed', 'tickets (status, path_id, created_at, id)');
    await withoutTransaction(client, 'drop index concurrently if exists tickets_status');
    await withoutTransaction(client, 'drop index concurrently if exists tickets_created');
  },
  async 'search of users'(client) {
    await inBatches(client, 'users', [
      `update users set search_text = user_search_text(first_name, last_name, email, phone, is_guest)
       where id between $1 and $2 and search_text is null`,
    ]);
    await buildIndex(client, 'users_search', 'users using gin (search_text gin_trgm_ops)');
  },
  /** Exact while others write: what this snapshot sees is counted here, and only what it does not see stays a change. */
  async 'tallies of what was there, with their sums'(client) {
    await buildIndex(client, 'tallies_hour', 'tallies (hour, what, count)');
    await client.query(`begin isolation level repeatable read; ${ofTheTransaction}`);
    await client.query('delete from tally_changes');
    await client.query('delete from tallies');
    await client.query(`
      insert into tallies (what, hour, count, francs)
      select 'tickets:' || status, date_trunc('hour', created_at, 'UTC'), count(*), sum(amount + commission)
      from tickets group by 1, 2
      union all
      select 'service:' || service_id, date_trunc('day', created_at, 'UTC'), count(*), sum(amount + commission)
      from tickets where service_id is not null group by 1, 2
      union all
      select 'users', date_trunc('hour', created_at, 'UTC'), count(*), 0 from users group by 2`);
    await client.query(`
      insert into tallies (what, hour, count, francs)
      select 'all ' || what, 'epoch', sum(count), sum(francs) from tallies where not starts_with(what, 'service:') group by what`);
    await client.query('commit');
  },
  async 'statistics of the new columns and tallies'(client) {
    await withoutTransaction(client, 'vacuum (analyze) tickets');
    await withoutTransaction(client, 'vacuum (analyze) users');
    await withoutTransaction(client, 'vacuum (analyze) tallies');
    await withoutTransaction(client, 'vacuum (analyze) tally_changes');
  },
  async 'tickets by payment reference'(client) {
    await withoutTransaction(client, 'alter table tickets validate constraint tickets_payment_reference_form');
    // Without figures on the new column the planner would rather read the whole table than the index.
    await withoutTransaction(client, 'analyze tickets (payment_reference)');
  },
  async 'tickets by payment reference without its marks'(client) {
    await buildIndex(
      client,
      'tickets_plain_reference',
      "tickets (translate(payment_reference, './-', '')) where payment_reference is not null",
    );
    await withoutTransaction(client, 'drop index concurrently if exists tickets_payment_reference');
  },
};

/** Rows of a batch: a fraction of a second, also on a slow disk. */
const rowsPerBatch = 2_000;

/** Runs the steps that this database has not had. The caller holds the lock of the migrations. */
export async function runOnlineSteps(client: pg.ClientBase): Promise<void> {
  await client.query(
    `create table if not exists online_steps (name text primary key, done_at timestamptz not null default now())`,
  );
  const { rows } = await client.query<{ name: string }>('select name from online_steps');
  const done = new Set(rows.map((row) => row.name));
  for (const [name, run] of Object.entries(steps)) {
    if (done.has(name)) continue;
    try {
      await run(client);
    } catch (error) {
      await client.query('rollback');
      throw error;
    }
    await client.query('insert into online_steps (name) values ($1)', [name]);
  }
}

async function inBatches(client: pg.ClientBase, table: string, statements: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ last: number }>(`select coalesce(max(id), 0)::int as last from ${table}`);
  const last = rows[0]?.last ?? 0;
  for (let from = 1; from <= last; from += rowsPerBatch) {
    await client.query(`begin; ${ofTheTransaction}`);
    for (const statement of statements) await client.query(statement, [from, from + rowsPerBatch - 1]);
    await client.query('commit');
  }
}

/**
 * Behind a pooler a setting holds for a transaction, and not beyond it. Nobody reads what these steps fill in before it is
 * there, so nobody is told of it.
 */
const ofTheTransaction = "set local guichet.quiet = 'on'; set local statement_timeout = 0";

/**
 * For what refuses to be part of a transaction. Its time is not limited then, but behind a pooler that sends it to another
 * connection than the setting before it; it is begun anew at the next start if that cuts it short.
 */
async function withoutTransaction(client: pg.ClientBase, statement: string): Promise<void> {
  await client.query('set statement_timeout = 0');
  try {
    await client.query(statement);
  } finally {
    await client.query('reset statement_timeout');
  }
}

/** An index that a broken-off build left behind is invalid, and made anew. */
async function buildIndex(client: pg.ClientBase, name: string, on: string): Promise<void> {
  const { rows } = await client.query<{ valid: boolean }>(
    'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
    [name],
  );
  if (rows[0]?.valid) return;
  const [table = ''] = on.split(' ');
  // A table without rows is new: nobody waits for it.
  const filled = await client.query(`select from ${table} limit 1`);
  if (filled.rowCount === 0) {
    await client.query(`drop index if exists ${name}; create index ${name} on ${on}`);
    return;
  }
  await withoutTransaction(client, `drop index concurrently if exists ${name}`);
  await withoutTransaction(client, `create index concurrently ${name} on ${on}`);
}
