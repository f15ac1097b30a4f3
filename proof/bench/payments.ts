import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import pLimit from 'p-limit';
import type pg from 'pg';
import { openOperators } from '../../server/features/payments/intake/operators/open-operators.ts';
import { readMessage } from '../../server/features/payments/intake/operators/read-message.ts';
import { waveHeader, waveTime } from '../../server/testing/payment-day.ts';
import { dayWays, liveDay } from '../../server/testing/payment-day-run.ts';
import { type FuzzedCall, fuzzedCalls } from '../../server/testing/payment-fuzz.ts';
import { isSaidBy, mutateMessages } from '../../server/testing/payment-mutations.ts';
import { seededRandom } from '../../server/testing/seeded-random.ts';
import { type Ends, watchMemory } from './children.ts';
import { figure, percentile, type Rows, round } from './figures.ts';
import { administrator, type Call, callAsAdministrator, fill, makeFolder, openProduct } from './product.ts';

/**
 * Incoming payments, each part by itself or all: `day` (a simulated day of `--tickets`), `lists` (`--lines` beside `--large` tickets
 * of one amount), `import` (a statement of `--rows`), `fuzz` (`--bodies` that are no payments at the feed, and as many messages that
 * are changed on their way).
 */
export async function measure(ends: Ends, args: string[]): Promise<Rows> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      tickets: { type: 'string', default: '5000' },
      lines: { type: 'string', default: '100000' },
      large: { type: 'string', default: '1000000' },
      rows: { type: 'string', default: '100000' },
      bodies: { type: 'string', default: '100000' },
    },
  });
  const parts: Record<string, () => Promise<Rows>> = {
    day: () => measureDay(ends, Number(values.tickets)),
    lists: () => measureLists(ends, Number(values.lines), Number(values.large)),
    import: () => measureImport(ends, Number(values.rows)),
    fuzz: async () => ({
      ...readMutants(Number(values.bodies)),
      ...(await measureFuzz(ends, Number(values.bodies))),
    }),
  };
  const unknown = positionals.find((each) => !Object.hasOwn(parts, each));
  if (unknown) throw new Error(`payments has no part ${unknown}, but ${Object.keys(parts).join(', ')}`);
  const rows: Rows = {};
  for (const [name, part] of Object.entries(parts))
    if (positionals.length === 0 || positionals.includes(name)) Object.assign(rows, await part());
  return rows;
}

const seed = 20261124;
/** After each of these parts of the day an administrator approves what is ticked. */
const slots = 36;

/** The day through the product; then all at once, in order, shuffled, twice and with the process killed in the middle. */
async function measureDay(ends: Ends, tickets: number): Promise<Rows> {
  const folder = makeFolder(ends);
  const host = {
    folder,
    administrator: { phoneOrEmail: administrator.ADMIN_PHONE, password: administrator.ADMIN_PASSWORD },
    async start() {
      const { url, pid, stop } = await openProduct(ends, folder, { LOG_LEVEL: 'error' });
      return {
        url,
        async end(signal: 'SIGTERM' | 'SIGKILL') {
          if (signal === 'SIGKILL') process.kill(pid, signal);
          await stop();
        },
      };
    },
  };
  const { lines, tickedLines, wrong, differences, ...shares } = await liveDay(host, seed, tickets, slots);
  for (const each of wrong) console.error(`ticked and wrong: ${each}`);
  const title = `${tickets} tickets, ${lines} payments: wrong among the ${tickedLines} ticked`;
  const rows: Rows = {
    [title]: figure(wrong.length, { below: 1 }),
    'tickets that share their amount (share)': figure(shares.sharing, { atLeast: 0.77 }),
    'right pairs of R0 to R2 that are ticked (share)': figure(shares.tickedOfCertain, { atLeast: 0.9 }),
    'settled pairs without a fault that are ticked (share)': figure(shares.ticked, { atLeast: 0.9 }),
  };
  for (const way of dayWays) {
    for (const each of differences[way].slice(0, 10)) console.error(`${way}: ${each}`);
    rows[`lines that end otherwise: ${way}`] = figure(differences[way].length, { below: 1 });
  }
  return rows;
}

/** With half of the tickets and of the lines open. */
async function measureLists(ends: Ends, lines: number, tickets: number): Promise<Rows> {
  const folder = makeFolder(ends);
  await fill(ends, folder, { users: 1_000, tickets: 1_000 }, (pool) => fillPayments(pool, lines, tickets));
  const product = await openProduct(ends, folder, { LOG_LEVEL: 'error' });
  const { call } = await callAsAdministrator(product);
  const rows: Rows = {};
  const time = async (title: string, path: (turn: number) => string, before?: (turn: number) => Promise<unknown>) => {
    const times: number[] = [];
    // The first twenty warm it up.
    for (let turn = 0; turn < 80; turn += 1) {
      await before?.(turn);
      times.push((await call('GET', path(turn))).ms);
    }
    const [p50, p95] = [0.5, 0.95].map((share) => percentile(times.slice(20), share)) as [number, number];
    rows[`${title}, p95 (ms)`] = figure(p95, { below: 50 }, { 'p50 (ms)': round(p50) });
  };
  const { rows: open } = await product.pool.query<{ id: number }>(
    'select id from payment_lines where not is_matched order by paid_at limit 1',
  );
  /** Changes a line, so that no answer is kept. */
  const touch = (turn: number) =>
    call('POST', `/api/admin/payments/lines/${open[0]?.id}/ignore`, { ignored: turn % 2 === 0 });
  await time('proposals', () => '/api/admin/payments/proposals', touch);
  await time('their count', () => '/api/admin/payments/count', touch);
  await time('first page', (turn) => `/api/admin/payments?limit=${100 + turn}`);
  await time('first page without a ticket', (turn) => `/api/admin/payments?state=open&limit=${100 + turn}`);
  const { rows: found } = await product.pool.query<{ id: number; reference: string }>(
    `select t.id, l.plain_reference as reference from tickets t join payment_lines l using (plain_reference)
     where l.our_reference is null and t.status = 'pending' order by t.id limit 80`,
  );
  const pick = (turn: number) => found[turn % found.length];
  await time("a ticket's payment", (turn) => `/api/admin/payments/tickets/${pick(turn)?.id}`);
  await time('a reference searched', (turn) => `/api/admin/payments?q=${pick(turn)?.reference}`);
  return rows;
}

/** A line for each tenth ticket or so; half of the tickets wait, and every fiftieth is of one agent. */
async function fillPayments(pool: pg.Pool, lines: number, tickets: number): Promise<void> {
  const client = await pool.connect();
  const people = Math.ceil(tickets / 10);
  const each = Math.floor(tickets / lines);
  try {
    await client.query("set guichet.quiet = 'on'; set statement_timeout = 0; set work_mem = '64MB'");
    const { rows } = await client.query<{ id: number }>(
      `insert into users (first_name, last_name, phone, password, is_verified)
       select 'Personne', 'du banc', '+22652' || lpad(n::text, 6, '0'), '-', true from generate_series(1, $1) n order by n
       returning id`,
      [people],
    );
    const person = `${rows[0]?.id} + case when n % 50 = 0 then 0 else n % ${people} end`;
    const filedAt = `now() - n * interval '30 days' / ${tickets}`;
    await client.query(
      `with sample as (select * from tickets order by id desc limit 1)
       insert into tickets (user_id, service_id, status, payment_type_id, payment_type_name, amount, commission, total_price,
         service_path, beneficiary_phone_number, fingerprint, payment_reference, payment_declared_at, payer_phone, created_at)
       select ${person}, service_id, case when n % 10 < 5 then 'pending' else 'approved' end, payment_type_id,
         payment_type_name, 1000, 100, '1100', service_path, beneficiary_phone_number, md5(n::text),
         case when n % 3 < 2 then 'PP261101.0000.' || lpad(n::text, 8, '0') end,
         case when n % 3 < 2 then ${filedAt} + interval '2 minutes' end,
         case when n % 4 = 0 then '+22652' || lpad((n % ${people} + 1)::text, 6, '0') end, ${filedAt}
       from sample cross join generate_series(1, ${tickets}) n order by n desc`,
    );
    await client.query(
      `with account as (
         insert into payment_accounts (country, number, label, allowed_senders)
         values ('+226', '1', 'Banc', '{OrangeMoney}') returning id)
       insert into payment_lines (account_id, line_key, direction, state, gross, balance_after, reference,
         payer, paid_at, created_at, seen_in, is_trusted)
       select account.id, 'r:in:PP2611010000' || lpad(n::text, 8, '0'), 'in',
         case when m % 2 = 0 then 'settled' else 'announced' end, 1100, (${lines + 1} - m) * 110000::bigint,
         'PP261101.0000.' || lpad(n::text, 8, '0'), users.phone,
         ${filedAt} + interval '1 minute', ${filedAt} + interval '2 minutes', case when m % 2 = 0 then 8 else 1 end, true
       from account cross join generate_series(1, ${lines}) m
       cross join lateral (select greatest(m * ${each} - m % ${each}, 1) as n) place
       join users on users.id = ${person} order by m desc`,
    );
    await client.query(
      `insert into payment_matches (line_id, ticket_id, rule, evidence)
       select l.id, t.id, 'R1', '["filled"]' from payment_lines l join tickets t using (plain_reference)
       where t.status = 'approved'`,
    );
    await client.query('vacuum (analyze)');
  } finally {
    client.release(true);
  }
}

async function openAccount(call: Call, country: string, allowedSenders: string[]): Promise<number> {
  const type = await call('POST', '/api/admin/payment-types', { name: 'Portefeuille' });
  const paymentTypeId = type.json<{ id: number }>().id;
  const account = { paymentTypeId, country, number: '1', label: 'Portefeuille', allowedSenders };
  return (await call('POST', '/api/admin/payments/accounts', account)).json<{ id: number }>().id;
}

/** Wave's export, imported and then imported again with one row more, while another administrator polls. */
async function measureImport(ends: Ends, count: number): Promise<Rows> {
  const product = await openProduct(ends, makeFolder(ends), { LOG_LEVEL: 'error' });
  const [{ call }, other] = [await callAsAdministrator(product), await callAsAdministrator(product)];
  const accountId = await openAccount(call, '+221', []);
  const rows: Rows = {};
  for (const [title, size, created] of [
    [`${count} rows imported`, count, count],
    ['all known but one', count + 1, 1],
  ] as const) {
    const form = new FormData();
    form.set('accountId', String(accountId));
    form.set('dryRun', 'false');
    form.set('file', new File([writeStatement(size)], 'releve.csv', { type: 'text/csv' }));
    const memory = watchMemory(product.pid);
    const polls: number[] = [];
    let ended = false;
    const polling = (async () => {
      for (; !ended; await pause(20)) polls.push((await other.call('GET', '/api/admin/payments/count')).ms);
    })();
    const imported = await call('POST', '/api/admin/payments/imports', form);
    ended = true;
    await polling;
    const told = imported.json<{ created: number; faults: object[] }>();
    if (told.created !== created || told.faults.length > 0)
      throw new Error(`${title}: ${told.created} created, ${told.faults.length} faults`);
    rows[`${title} (s)`] = figure(imported.ms / 1_000, { below: 30 });
    rows[`${title}: resident memory (MB)`] = figure(memory(), { below: 512 });
    rows[`${title}: others' polls, p99 (ms)`] = figure(percentile(polls, 0.99), { below: 200 });
  }
  return rows;
}

function writeStatement(count: number): string {
  const below = seededRandom(1);
  const lines = Array.from({ length: count }, (_, n) => {
    const fee = 1 + below(500);
    const payer = `+22177${String(below(10_000_000)).padStart(7, '0')}`;
    const id = `T_X${n.toString(36).toUpperCase().padStart(9, '0')}`;
    return `${waveTime(Date.UTC(2026, 9, 1) + 40_000 * n)},${id},api_checkout,${99 * fee},${fee},XOF,${payer},,,,`;
  });
  return [waveHeader, ...lines].join('\r\n');
}

/** What is read of messages that are changed on their way: none as a payment that it does not say. */
function readMutants(count: number): Rows {
  const operators = openOperators();
  const wrong: string[] = [];
  let payments = 0;
  for (const mutant of mutateMessages(seed, count)) {
    const read = readMessage(mutant.text, { operators, country: mutant.country, sender: mutant.sender });
    if (read.kind !== 'payment' || read.direction !== 'in') continue;
    payments += 1;
    if (!isSaidBy(mutant, read)) wrong.push(`${mutant.how}: ${JSON.stringify(mutant.text)}`);
  }
  for (const each of wrong.slice(0, 10)) console.error(`false payment, ${each}`);
  const title = `${count} changed messages: false among the ${payments} that are read as payments`;
  return { [title]: figure(wrong.length, { below: 1 }) };
}

/** What the feed answers to bodies that are no payments, and what its jobs make of those that are kept. */
async function measureFuzz(ends: Ends, count: number): Promise<Rows> {
  const { url, pool, ...product } = await openProduct(ends, makeFolder(ends), { LOG_LEVEL: 'fatal' });
  const { call } = await callAsAdministrator({ url });
  const accountId = await openAccount(call, '+226', ['OrangeMoney']);
  const openSource = async (kind: 'sms' | 'wave', signingSecret?: string) => {
    const opened = await call('POST', '/api/admin/payments/sources', { accountId, kind, signingSecret });
    const { address, secret = '' } = opened.json<{ address: string; secret?: string }>();
    return { path: new URL(address).pathname, secret };
  };
  const calls = fuzzedCalls(await openSource('sms'), await openSource('sms', 'cle-du-banc'), await openSource('wave'));
  const agent = new http.Agent({ keepAlive: true });
  ends.defer(() => agent.destroy());
  const answers: Record<string, number> = {};
  const limit = pLimit(32);
  const start = performance.now();
  for (let sent = 0, size = 1_000; sent < count; sent += size) {
    if (sent % 50_000 === 0) console.error(`${sent} bodies: ${JSON.stringify(answers)}`);
    const batch = fc.sample(calls, { numRuns: Math.min(size, count - sent), seed: seed + sent });
    for (const answer of await limit.map(batch, (each) => send(product.port, agent, each)))
      answers[answer] = (answers[answer] ?? 0) + 1;
  }
  const perSecond = (count / (performance.now() - start)) * 1_000;
  const find = async (query: string) =>
    (await pool.query<{ n: number }>(`select count(*)::int as n from ${query}`)).rows[0]?.n ?? Number.NaN;
  const bad = Object.entries(answers).filter(([answer]) => !(Number(answer) < 500));
  const states = await pool.query(
    'select state, count(*)::int as n from payment_messages group by state order by state',
  );
  const kept = Object.fromEntries(states.rows.map(({ state, n }) => [state, n]));
  return {
    [`${count} bodies: answered 5xx, or not at all`]: figure(
      bad.reduce((sum, [, times]) => sum + times, 0),
      { below: 1 },
      { answers: JSON.stringify(answers), 'a second': round(perSecond) },
    ),
    'messages kept': figure(await find('payment_messages'), undefined, { states: JSON.stringify(kept) }),
    // What went out is a step of a wallet's balances, and in no list.
    'payments made of them': figure(await find("payment_lines where direction = 'in'"), { below: 1 }),
  };
}

/** The status of the answer, or why there is none. */
function send(port: number, agent: http.Agent, { method, url, payload, headers }: FuzzedCall): Promise<string> {
  return new Promise((resolve) => {
    const request = http.request({ port, host: '127.0.0.1', path: url, method, agent, headers }, (answer) => {
      answer.resume().on('end', () => resolve(String(answer.statusCode)));
      answer.on('error', () => resolve('cut'));
    });
    request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
    request.end(payload);
  });
}
