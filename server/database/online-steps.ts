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
};

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
