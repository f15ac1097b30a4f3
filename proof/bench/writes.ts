import path from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { sessionCookie } from '../../server/features/sessions/session-cookie.ts';
import { hashPassword } from '../../server/features/users/password.ts';
import { signInAdministrator } from './administrator.ts';
import { cpuSeconds, startChild } from './children.ts';
import { expressCookieOf, startExpress } from './express-peer.ts';
import { type Asked, figure, median, medianRatio, type Row, type Rows, round } from './figures.ts';
import { fill, makeFolder } from './fill.ts';
import { startGenerator } from './load/start-generator.ts';
import { headOf, type Outcome } from './load/task.ts';
import { environmentOf, type OpenProduct, openPool, openProduct } from './open-product.ts';
import { copies, type Work } from './peers/bare-transaction.ts';
import { addPeople, cookieOf, idsOf, type Order, type People, readOrder } from './people.ts';
import type { Stage } from './stage.ts';

const atOnce = 32;
/** Hashing takes most of a sign-in, and more than these are told to come back. */
const signInsAtOnce = 16;
const password = 'mot-de-passe-de-personne';

/**
 * How many tickets 32 people file a second, beside a bare transaction of pg and beside express, with the change feed's
 * triggers and without, by turns in short rounds; how long one takes at half of that; decisions and sign-ins a second.
 * `--rounds` and `--seconds` (of a round).
 */
export async function measure(stage: Stage): Promise<Rows> {
  const { values } = parseArgs({
    args: stage.args,
    options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '3' } },
  });
  const rounds = Number(values.rounds);
  const forMs = Number(values.seconds) * 1_000;
  const folder = makeFolder(stage);
  let people: People = { first: 1, count: 0 };
  const hash = await hashPassword(password);
  await fill(stage, folder, { users: 1_000, tickets: 20_000 }, async (pool) => {
    people = await addPeople(pool, { count: 500, busy: 500, password: hash });
  });
  const product = await openProduct(stage, folder);
  const pool = openPool(stage, product.database);
  const bench = await prepare(stage, product, pool, people);

  const found = { product: [] as Filed[], quiet: [] as Filed[], express: [] as Filed[], bare: [] as Filed[] };
  // The first round of each warms it up.
  for (let turn = -1; turn < rounds; turn += 1) {
    const note = async (name: keyof typeof found, run: () => Promise<Filed>) => {
      const filed = await run();
      if (turn >= 0) found[name].push(filed);
    };
    await note('bare', () => bench.bare(forMs));
    await note('product', () => bench.file('product', forMs));
    await switchFeed(pool, 'disable');
    await note('quiet', () => bench.file('product', forMs));
    await switchFeed(pool, 'enable');
    await note('express', () => bench.file('express', forMs));
  }
  const saturation = median(rates(found.product));
  const half = await bench.open(saturation / 2);
  const ratio = (a: Filed[], b: Filed[], asked?: Asked) => figure(medianRatio(rates(a), rates(b)), asked);
  return {
    'tickets/s ÷ a bare transaction': ratio(found.product, found.bare, { atLeast: 0.25 }),
    'tickets/s ÷ express': ratio(found.product, found.express),
    'answers other than 201': figure(
      refused(found.product) + refused(found.quiet),
      { atMost: 0 },
      { answers: answersOf(found.product) },
    ),
    'what the feed costs (share)': figure(1 - medianRatio(rates(found.product), rates(found.quiet)), { atMost: 0.25 }),
    'p50 at half of saturation (ms)': figure(half.p50),
    'p99 at half of saturation (ms)': figure(half.p99, undefined, { answers: JSON.stringify(half.by) }),
    'tickets/s: a bare transaction': rowOf(found.bare),
    'tickets/s: the product': rowOf(found.product),
    'tickets/s: the product without the feed': rowOf(found.quiet),
    'tickets/s: express': rowOf(found.express),
    'decisions/s': outcomeRow(await bench.decide(forMs)),
    [`sign-ins/s, ${signInsAtOnce} at once`]: outcomeRow(await bench.signIn(forMs)),
  };
}

interface Filed {
  perSecond: number;
  by: Record<string, number>;
  /** Processor time for each ticket, in microseconds. */
  cpu?: { server: number; postgres: number };
}

const rates = (of: Filed[]) => of.map(({ perSecond }) => perSecond);
const sum = (of: Filed[]) => of.flatMap(({ by }) => Object.entries(by));
const refused = (of: Filed[]) => sum(of).reduce((all, [status, times]) => all + (status === '201' ? 0 : times), 0);

function answersOf(of: Filed[]): string {
  const all: Record<string, number> = {};
  for (const [status, times] of sum(of)) all[status] = (all[status] ?? 0) + times;
  return JSON.stringify(all);
}

function rowOf(of: Filed[]): Row {
  const costs = (which: 'server' | 'postgres') => round(median(of.map(({ cpu }) => cpu?.[which] ?? Number.NaN)));
  return figure(median(rates(of)), undefined, {
    answers: answersOf(of),
    ...(of[0]?.cpu && { 'server CPU µs each': costs('server'), 'PostgreSQL CPU µs each': costs('postgres') }),
  });
}

const outcomeRow = ({ perSecond, p50, p99, by }: Outcome) =>
  figure(perSecond, undefined, { 'p50 (ms)': round(p50), 'p99 (ms)': round(p99), answers: JSON.stringify(by) });

async function prepare(stage: Stage, product: OpenProduct, pool: pg.Pool, people: People) {
  const express = await startExpress(stage, product.database, pool, people);
  const servers = { product: { port: product.port, pid: product.pid }, express };
  const generator = await startGenerator(stage);
  const order = await readOrder(product.url);
  const ids = idsOf(people);
  const ownCookie = (id: number) => `${sessionCookie}=${cookieOf(id)}`;
  const post = (at: string, cookie: string, body: object) => ({
    head: headOf('POST', at, cookie),
    body: JSON.stringify(body),
  });
  for (const [set, { port }] of Object.entries(servers)) {
    const cookie = set === 'express' ? expressCookieOf : ownCookie;
    const targets = ids.map((id) => post('/api/tickets', cookie(id), { ...order, userId: id }));
    generator.load({ set, port, keyed: true, targets });
  }
  await pool.query(copies);
  const bare = startChild(
    stage,
    path.join(import.meta.dirname, 'peers/bare-transaction.ts'),
    environmentOf(product.database),
  );
  const ticket = await fileOne(product, pool, ownCookie(ids[0] ?? 0), order);

  return {
    async bare(forMs: number): Promise<Filed> {
      bare.send({ people: atOnce, forMs, ticket } satisfies Work);
      return { ...(await bare.hear<{ perSecond: number }>()), by: {} };
    },
    async file(name: keyof typeof servers, forMs: number): Promise<Filed> {
      const look = () => ({ server: cpuSeconds(servers[name].pid), postgres: product.postgresSeconds() });
      const before = look();
      const { perSecond, by, answered } = await generator.closed({
        set: name,
        connections: atOnce,
        stop: { afterMs: forMs },
      });
      const after = look();
      const each = (which: 'server' | 'postgres') => (1e6 * (after[which] - before[which])) / answered;
      return { perSecond, by, cpu: { server: each('server'), postgres: each('postgres') } };
    },
    open: (perSecond: number) =>
      generator.open({ streams: [{ set: 'product', perSecond }], connections: 4 * atOnce, forMs: 10_000 }),
    /** One administrator decides what was filed, each ticket once. */
    async decide(forMs: number): Promise<Outcome> {
      const cookie = await signInAdministrator(product);
      const { rows } = await pool.query<{ id: number }>(
        "select id from tickets where status = 'pending' and user_id = any($1) order by id",
        [ids],
      );
      const targets = rows.map(({ id }) => ({
        head: headOf('PATCH', `/api/tickets/${id}/status`, cookie),
        body: JSON.stringify({ status: 'approved' }),
      }));
      generator.load({ set: 'decisions', port: product.port, targets });
      return generator.closed({ set: 'decisions', connections: atOnce, stop: { afterMs: forMs } });
    },
    async signIn(forMs: number): Promise<Outcome> {
      const { rows } = await pool.query<{ phone: string }>('select phone from users where id = any($1)', [ids]);
      const targets = rows.map(({ phone }) => post('/api/auth/signin', '', { phoneOrEmail: phone, password }));
      generator.load({ set: 'sign-ins', port: product.port, targets });
      return generator.closed({ set: 'sign-ins', connections: signInsAtOnce, stop: { afterMs: forMs } });
    },
  };
}

/** The row that filing writes, for a peer to write the same without knowing how it is come by. */
async function fileOne({ url }: OpenProduct, pool: pg.Pool, cookie: string, order: Order): Promise<Work['ticket']> {
  const answer = await fetch(`${url}/api/tickets`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify(order),
  });
  const { id } = (await answer.json()) as { id: number };
  if (answer.status !== 201) throw new Error(`filing was answered ${answer.status}`);
  const { rows } = await pool.query<Record<string, unknown>>('select * from tickets where id = $1', [id]);
  const made = new Set(['id', 'created_at', 'updated_at', 'idempotency_key', 'earlier_references']);
  const filled = Object.entries(rows[0] ?? {}).filter(([name, value]) => value !== null && !made.has(name));
  return {
    columns: filled.map(([name]) => name),
    values: filled.map(([, value]) => (typeof value === 'object' ? JSON.stringify(value) : value)),
  };
}

/** Everything that tells of changes is a trigger whose name says so. */
async function switchFeed(pool: pg.Pool, how: 'disable' | 'enable'): Promise<void> {
  const { rows } = await pool.query<{ table: string; name: string }>(
    `select tgrelid::regclass::text as table, tgname as name from pg_trigger
     where tgname like '%\\_announce%' and not tgisinternal`,
  );
  if (rows.length === 0) throw new Error('there are no triggers of the change feed');
  for (const { table, name } of rows)
    await pool.query(`alter table ${table} ${how} trigger ${pg.escapeIdentifier(name)}`);
}
