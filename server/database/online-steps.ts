import type pg from 'pg';

export type OnlineSteps = Readonly<Record<string, (client: pg.ClientBase) => Promise<void>>>;

/** Long work, done once after the migrations and without their locks. A step that is broken off starts again. */
export const onlineSteps: OnlineSteps = {
  /** A restored database has none. Exact while others write: what this snapshot does not see stays a change. */
  async 'tallies of what was there, with their sums'(client) {
    await client.query('begin isolation level repeatable read; set local statement_timeout = 0');
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
  'indexes of a search by total and by beneficiary'(client) {
    return createIndexes(client, {
      tickets_total_filed: 'tickets (total_price, created_at, id)',
      tickets_beneficiary_ending: 'tickets (reverse(beneficiary_phone_number) text_pattern_ops)',
    });
  },
  async 'indexes of the tickets that a payment may be for'(client) {
    await createIndexes(client, {
      tickets_plain_reference: `tickets (translate(payment_reference, './-_', '')) where payment_reference is not null`,
      tickets_pending_total: `tickets (total_price, created_at) where status = 'pending'`,
      tickets_pending_declared: `tickets (payment_declared_at) where status = 'pending' and payment_declared_at is not null`,
    });
    await client.query('alter table tickets validate constraint tickets_payment_reference_form');
  },
  async 'indexes of the tickets of a payer, the approved ones too'(client) {
    await createIndexes(client, {
      tickets_payer: 'tickets (payer_phone, total_price, status, created_at) where payer_phone is not null',
      tickets_user_total: 'tickets (user_id, total_price, status, created_at)',
    });
    for (const former of ['tickets_pending_payer', 'tickets_pending_user'])
      await client.query(`drop index concurrently if exists ${former}`);
  },
  /** As 0017 folds them: few rows become others. */
  async 'what a search of users looks in, in one spelling'(client) {
    await client.query('set statement_timeout = 0');
    await client.query(`
      update users set search_text = user_search_text(first_name, last_name, email, phone, is_guest)
      where search_text is distinct from user_search_text(first_name, last_name, email, phone, is_guest)`);
  },
};

/** Creates indexes while others write. What a step that was broken off left is not valid, and is made anew. */
async function createIndexes(client: pg.ClientBase, indexes: Record<string, string>): Promise<void> {
  await client.query('set statement_timeout = 0');
  for (const [name, on] of Object.entries(indexes)) {
    await client.query(`drop index concurrently if exists ${name}`);
    await client.query(`create index concurrently ${name} on ${on}`);
  }
}

/** Runs the steps that this database has not had, and answers their names. The caller holds the lock of the migrations. */
export async function runOnlineSteps(client: pg.ClientBase, steps: OnlineSteps): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from online_steps');
  const done = new Set(rows.map((row) => row.name));
  const missing = Object.entries(steps).filter(([name]) => !done.has(name));
  for (const [name, run] of missing) {
    try {
      await run(client);
    } catch (error) {
      await client.query('rollback');
      throw error;
    }
    await client.query('insert into online_steps (name) values ($1)', [name]);
  }
  return missing.map(([name]) => name);
}
