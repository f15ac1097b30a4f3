import type pg from 'pg';
import { figure, percentile, type Rows, round } from './figures.ts';
import { fill, makeFolder } from './fill.ts';
import { openPool, openProduct } from './open-product.ts';
import { askAsAdministrator } from './payments-account.ts';
import type { Stage } from './stage.ts';

interface Volume {
  lines: number;
  tickets: number;
  /** Filled before; it stays. */
  folder?: string | undefined;
}

const calls = 60;
/** Calls before those that are measured: an operator's process has long compiled what it runs. */
const warming = 20;

/**
 * How long an administrator waits for the proposals and the first page of the payments, at so many lines beside so many
 * tickets of one amount: half of the tickets and of the lines wait, then the fifty oldest lines alone.
 */
export async function measureLists(stage: Stage, { lines, tickets, folder: given }: Volume): Promise<Rows> {
  const folder = given ?? makeFolder(stage);
  if (!given) await fill(stage, folder, { users: 1_000, tickets: 1_000 }, (pool) => fillPayments(pool, lines, tickets));
  const product = await openProduct(stage, folder, { LOG_LEVEL: 'error' });
  const ask = await askAsAdministrator(product);
  const pool = openPool(stage, { ...product.database, options: '-c statement_timeout=0' });
  const rows: Rows = {};
  const time = async (title: string, path: (call: number) => string) => {
    const times: number[] = [];
    for (let call = -warming; call < calls; call += 1) {
      const start = performance.now();
      await ask('GET', path(call + warming));
      // The first calls warm it up.
      if (call >= 0) times.push(performance.now() - start);
    }
    rows[title] = figure(percentile(times, 0.95), { below: 50 }, { 'p50 (ms)': round(percentile(times, 0.5)) });
  };
  const volume = `${lines.toLocaleString('en')} lines × ${tickets.toLocaleString('en')} tickets`;
  const timeAll = async (state: string) => {
    await time(`${state}: proposals, p95 (ms)`, () => '/api/admin/payments/proposals');
    await time(`${state}: their count, p95 (ms)`, () => '/api/admin/payments/count');
    // Another length each time: an answer that is kept is not measured.
    await time(`${state}: first page, p95 (ms)`, (call) => `/api/admin/payments?limit=${100 + call}`);
    await time(
      `${state}: first page without a ticket, p95 (ms)`,
      (call) => `/api/admin/payments?state=open&limit=${100 + call}`,
    );
  };
  const { rows: found } = await pool.query<{ id: number; reference: string }>(
    `select t.id, l.plain_reference as reference from tickets t join payment_lines l on l.our_reference is null
       and l.plain_reference = translate(t.payment_reference, './-_', '')
     where t.status = 'pending' and t.payment_reference is not null order by t.id limit ${calls + warming}`,
  );
  await timeAll(`${volume}, half open`);
  await time(
    `${volume}, half open: a ticket's payment, p95 (ms)`,
    (call) => `/api/admin/payments/tickets/${found[call]?.id}`,
  );
  await time(
    `${volume}, half open: a reference searched, p95 (ms)`,
    (call) => `/api/admin/payments?q=${found[call]?.reference}`,
  );
  await matchAllButOldest(pool);
  await timeAll(`${volume}, all matched but 50`);
  // A folder of the operator's own is left as it was.
  await pool.query(
    `with gone as (delete from payment_matches where evidence = '["bench"]' returning ticket_id)
     update tickets set status = 'pending' where id in (select ticket_id from gone)`,
  );
  return rows;
}

/** A line for each tenth ticket or so; half of the tickets wait, and every fiftieth is of one agent. */
async function fillPayments(pool: pg.Pool, lines: number, tickets: number): Promise<void> {
  const client = await pool.connect();
  const people = Math.ceil(tickets / 10);
  const each = Math.floor(tickets / lines);
  try {
    await client.query("set guichet.quiet = 'on'; set statement_timeout = 0; set work_mem = '64MB'");
    const { rows } = await client.query<{ first: number }>(
      `with made as (
         insert into users (first_name, last_name, phone, password, is_verified)
         select 'Personne', 'du banc', '+22652' || lpad(n::text, 6, '0'), '-', true from generate_series(1, $1) n order by n
         returning id)
       select min(id) as first from made`,
      [people],
    );
    const first = rows[0]?.first ?? 1;
    const step = `interval '30 days' / ${tickets}`;
    const person = `$1::int + case when n % 50 = 0 then 0 else n % ${people} end`;
    await client.query(
      `with sample as (select * from tickets order by id desc limit 1)
       insert into tickets (user_id, service_id, status, payment_type_id, payment_type_name, amount, commission, total_price,
         service_path, beneficiary_phone_number, fingerprint, payment_reference, payment_declared_at, payer_phone, created_at)
       select ${person}, service_id, case when n % 10 < 5 then 'pending' else 'approved' end, payment_type_id,
         payment_type_name, 1000, 100, '1100', service_path, beneficiary_phone_number, md5(n::text),
         case when n % 3 < 2 then 'PP261101.0000.' || lpad(n::text, 8, '0') end,
         case when n % 3 < 2 then now() - n * ${step} + interval '2 minutes' end,
         case when n % 4 = 0 then '+22652' || lpad((n % ${people} + 1)::text, 6, '0') end, now() - n * ${step}
       from sample cross join generate_series(1, ${tickets}) n order by n desc`,
      [first],
    );
    await client.query(
      `with account as (
         insert into payment_accounts (country, number, label, allowed_senders)
         values ('+226', '1', 'Banc', '{OrangeMoney}') returning id)
       insert into payment_lines (account_id, line_key, direction, state, gross, balance_after, reference, plain_reference,
         payer, paid_at, seen_in, is_trusted)
       select account.id, 'r:in:PP2611010000' || lpad(n::text, 8, '0'), 'in',
         case when m % 2 = 0 then 'settled' else 'announced' end, 1100, (${lines + 1} - m) * 110000::bigint,
         'PP261101.0000.' || lpad(n::text, 8, '0'), 'PP2611010000' || lpad(n::text, 8, '0'), users.phone,
         now() - n * ${step} + interval '1 minute', case when m % 2 = 0 then 8 else 1 end, true
       from account cross join generate_series(1, ${lines}) m cross join lateral (select greatest(m * ${each} - m % ${each}, 1) as n) place
       join users on users.id = ${person} order by m desc`,
      [first],
    );
    await client.query(
      `insert into payment_matches (line_id, ticket_id, rule, evidence)
       select l.id, t.id, 'R1', '["filled"]' from payment_lines l join tickets t
         on translate(t.payment_reference, './-_', '') = l.plain_reference and t.payment_reference is not null
       where t.status = 'approved'`,
    );
    await client.query('vacuum (analyze)');
  } finally {
    client.release(true);
  }
}

/** What an operator has who decides every day: nothing waits but what nobody could explain. */
async function matchAllButOldest(pool: pg.Pool): Promise<void> {
  await pool.query(
    `with made as (insert into payment_matches (line_id, ticket_id, rule, evidence)
     select line.id, ticket.id, 'person', '["bench"]' from (
       select id, row_number() over (order by paid_at desc) as place from payment_lines l
       where not exists (select from payment_matches m where m.line_id = l.id) order by paid_at desc
       offset 0 limit (select count(*) - 50 from payment_lines l where not exists (select from payment_matches m where m.line_id = l.id))
     ) line join (
       select id, row_number() over (order by id) as place from tickets t
       where not exists (select from payment_matches m where m.ticket_id = t.id) and total_price = '1100' and status = 'pending'
     ) ticket using (place) returning ticket_id)
     update tickets set status = 'approved' where id in (select ticket_id from made)`,
  );
  await pool.query('vacuum (analyze) payment_matches, payment_lines, tickets');
}
