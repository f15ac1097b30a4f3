import { parseArgs } from 'node:util';
import { hashPassword } from '../../server/features/users/password.ts';
import { cpuSeconds, type Ends } from './children.ts';
import { expressCookieOf, startExpress } from './express.ts';
import { figure, median, medianRatio, type Row, type Rows, round } from './figures.ts';
import type { Outcome } from './generator.ts';
import { addPeople, cookieOf, readOrder } from './people.ts';
import { fill, makeFolder, openProduct, signInAdministrator } from './product.ts';
import { headOf, startGenerator } from './start-generator.ts';

const connections = 32;
/** Hashing takes most of a sign-in, and more than these are told to come back. */
const signInsAtOnce = 16;
const password = 'mot-de-passe-de-personne';

/**
 * How many tickets 32 people file a second, beside express, by turns in short rounds; how long one takes at half of that; decisions
 * and sign-ins a second. `--rounds` and `--seconds` (of a round).
 */
export async function measure(ends: Ends, args: string[]): Promise<Rows> {
  const { values } = parseArgs({
    args,
    options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '3' } },
  });
  const forMs = Number(values.seconds) * 1_000;
  const folder = makeFolder(ends);
  let ids: number[] = [];
  const hash = await hashPassword(password);
  await fill(ends, folder, { users: 1_000, tickets: 20_000 }, async (pool) => {
    ids = await addPeople(pool, { count: 500, busy: 500, password: hash });
  });
  const product = await openProduct(ends, folder);
  const { pool } = product;
  const servers = {
    express: await startExpress(ends, product, ids),
    product: { port: product.port, pid: product.pid },
  };
  const generator = startGenerator(ends);
  const order = await readOrder(product.url);
  const target = (method: string, path: string, cookie: string, body: object) => ({
    head: headOf(method, path, cookie),
    body: JSON.stringify(body),
  });
  for (const [set, { port }] of Object.entries(servers)) {
    const cookie = set === 'express' ? expressCookieOf : cookieOf;
    const targets = ids.map((id) => target('POST', '/api/tickets', cookie(id), { ...order, userId: id }));
    generator.load({ set, port, keyed: true, targets });
  }

  const found = { express: [] as Outcome[], product: [] as Outcome[] };
  const cpu: number[] = [];
  // The first round warms each up.
  for (let turn = -1; turn < Number(values.rounds); turn += 1)
    for (const set of ['express', 'product'] as const) {
      const before = cpuSeconds(servers[set].pid);
      const outcome = await generator.closed({ set, connections, forMs });
      if (turn < 0) continue;
      found[set].push(outcome);
      if (set === 'product') cpu.push((1e6 * (cpuSeconds(product.pid) - before)) / outcome.answered);
    }
  const rates = (of: Outcome[]) => of.map(({ perSecond }) => perSecond);
  const perSecond = median(rates(found.product)) / 2;
  const half = await generator.open({ streams: [{ set: 'product', perSecond }], connections: 128, forMs: 10_000 });

  const cookie = await signInAdministrator(product);
  const { rows: pending } = await pool.query<{ id: number }>(
    "select id from tickets where status = 'pending' and user_id = any($1) order by id",
    [ids],
  );
  const decisions = pending.map(({ id }) =>
    target('PATCH', `/api/tickets/${id}/status`, cookie, { status: 'approved' }),
  );
  generator.load({ set: 'decisions', port: product.port, targets: decisions });
  const decided = await generator.closed({ set: 'decisions', connections, forMs });
  const { rows: users } = await pool.query<{ phone: string }>('select phone from users where id = any($1)', [ids]);
  const signIns = users.map(({ phone }) => target('POST', '/api/auth/signin', '', { phoneOrEmail: phone, password }));
  generator.load({ set: 'sign-ins', port: product.port, targets: signIns });
  const signedIn = await generator.closed({ set: 'sign-ins', connections: signInsAtOnce, forMs });

  const refused = found.product.reduce((sum, { answered, by }) => sum + answered - (by['201'] ?? 0), 0);
  return {
    'tickets/s ÷ express': figure(medianRatio(rates(found.product), rates(found.express)), { atLeast: 1.5 }),
    'answers other than 201': figure(refused, { atMost: 0 }),
    'tickets/s: express': figure(median(rates(found.express)), undefined, answersOf(found.express.at(-1))),
    'tickets/s: the product': figure(median(rates(found.product)), undefined, { 'CPU µs each': round(median(cpu)) }),
    'p50 at half of saturation (ms)': figure(half.latencies.p50),
    'p99 at half of saturation (ms)': figure(half.latencies.p99, undefined, answersOf(half)),
    'decisions/s': figure(decided.perSecond, undefined, answersOf(decided)),
    [`sign-ins/s, ${signInsAtOnce} at once`]: figure(signedIn.perSecond, undefined, answersOf(signedIn)),
  };
}

const answersOf = (of: Outcome | undefined): Row => ({ answers: JSON.stringify(of?.by) });
