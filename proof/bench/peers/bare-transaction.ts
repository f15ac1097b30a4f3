import pg from 'pg';
import { databaseLimits } from '../../../server/process/limits.ts';

/**
 * The limit of writes: BEGIN, a ticket, its event, COMMIT, each a prepared statement of its own round trip, through as many
 * connections as the product has. The rows are those that filing writes, made beforehand; the tables are the product's with
 * their columns, defaults, checks and indexes (`like … including all`), without its triggers and its foreign keys: no path is
 * looked up, nothing is counted, nobody is told. Nothing is read, checked or locked, and there is no HTTP.
 */
export interface Work {
  people: number;
  forMs: number;
  ticket: { columns: string[]; values: unknown[] };
}

export const copies = `
  drop table if exists bench_tickets, bench_ticket_events;
  create table bench_tickets (like tickets including all);
  create table bench_ticket_events (like ticket_events including all)`;

process.once('disconnect', () => process.exit());
process.on('message', async ({ people, forMs, ticket }: Work) => {
  const pool = new pg.Pool({ max: databaseLimits.connections });
  const names = ticket.columns.map((name) => pg.escapeIdentifier(name)).join();
  const places = ticket.columns.map((_, at) => `$${at + 1}`).join();
  const insertTicket = {
    name: 'ticket',
    text: `insert into bench_tickets (${names}) values (${places}) returning *`,
    values: ticket.values,
  };
  const insertEvent = 'insert into bench_ticket_events (ticket_id, status, actor_id) values ($1, $2, $3)';
  let filed = 0;
  const start = performance.now();
  const file = async () => {
    while (performance.now() - start < forMs) {
      const client = await pool.connect();
      await client.query({ name: 'begin', text: 'begin' });
      const { rows } = await client.query<{ id: number; status: string; user_id: number }>(insertTicket);
      const [row] = rows;
      await client.query({ name: 'event', text: insertEvent, values: [row?.id, row?.status, row?.user_id] });
      await client.query({ name: 'commit', text: 'commit' });
      client.release();
      filed += 1;
    }
  };
  await Promise.all(Array.from({ length: people }, file));
  const perSecond = filed / ((performance.now() - start) / 1_000);
  await pool.end();
  process.send?.({ perSecond });
});
