import { cpuSeconds, type Ends, startGenerator } from './children.ts';
import { figure, median, medianRatio, type Rows, readNumbers, round } from './figures.ts';
import type { Outcome } from './generator.ts';
import { cookieOf, expressCookieOf, openWithPeople, ordersOf, startExpress } from './people.ts';

const connections = 32;

/**
 * How many tickets 32 people file a second, beside express, by turns in short rounds.
 * `--rounds` and `--seconds` (of a round).
 */
export async function measure(ends: Ends, args: string[]): Promise<Rows> {
  const { rounds, seconds } = readNumbers(args, { rounds: 5, seconds: 3 });
  const { product, ids } = await openWithPeople(ends, 500, 500);
  const servers = {
    express: await startExpress(ends, product, ids),
    product: { port: product.port, pid: product.pid },
  };
  const generator = startGenerator(ends);
  for (const [set, { port }] of Object.entries(servers)) {
    const cookie = set === 'express' ? expressCookieOf : cookieOf;
    generator.load({ set, port, keyed: true, targets: await ordersOf(product.url, ids, cookie) });
  }

  const found = { express: [] as Outcome[], product: [] as Outcome[] };
  const cpu: number[] = [];
  // The first round warms each up.
  for (let turn = -1; turn < rounds; turn += 1)
    for (const set of ['express', 'product'] as const) {
      const before = cpuSeconds(servers[set].pid);
      const outcome = await generator.closed({ set, connections, forMs: 1_000 * seconds });
      if (turn < 0) continue;
      found[set].push(outcome);
      if (set === 'product') cpu.push((1e6 * (cpuSeconds(product.pid) - before)) / outcome.answered);
    }
  const rates = (of: Outcome[]) => of.map(({ perSecond }) => perSecond);
  const refused = found.product.reduce((sum, { answered, by }) => sum + answered - (by['201'] ?? 0), 0);
  return {
    'tickets/s ÷ express': figure(medianRatio(rates(found.product), rates(found.express)), { atLeast: 1.5 }),
    'answers other than 201': figure(refused, { below: 1 }),
    'tickets/s: express': figure(median(rates(found.express))),
    'tickets/s: the product': figure(median(rates(found.product)), undefined, { 'CPU µs each': round(median(cpu)) }),
  };
}
