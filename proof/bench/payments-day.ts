import { setTimeout as pause } from 'node:timers/promises';
import { DayPlace } from '../../server/testing/payment-day-place.ts';
import { dayWays, liveAgain, liveThrough } from '../../server/testing/payment-day-run.ts';
import { administrator } from './administrator.ts';
import { figure, type Rows, round } from './figures.ts';
import { makeFolder } from './fill.ts';
import { openProduct } from './open-product.ts';
import type { Stage } from './stage.ts';

const seed = 20261124;
/** After each of these an administrator approves what is ticked. */
const slots = 36;

/**
 * A day of so many orders and payments through the product, an administrator approving whatever is ticked and nothing else;
 * then the same day in another order, twice, and with the process killed in the middle: where does each end?
 */
export async function measureDay(stage: Stage, tickets: number): Promise<Rows> {
  const folder = makeFolder(stage);
  const place = new DayPlace({
    folder,
    administrator: { phoneOrEmail: administrator.ADMIN_PHONE, password: administrator.ADMIN_PASSWORD },
    async start() {
      const product = await openProduct(stage, folder, { LOG_LEVEL: 'error' });
      return {
        url: product.url,
        async end(signal) {
          if (signal === 'SIGKILL') process.kill(product.pid, signal);
          while (signal === 'SIGKILL' && isThere(product.pid)) await pause(20);
          await product.stop();
        },
      };
    },
  });
  const start = performance.now();
  const say = (sentence: string) => console.error(`${Math.round((performance.now() - start) / 1_000)} s: ${sentence}`);
  const found = await liveThrough(place, seed, tickets, slots);
  say('the day is over');
  for (const each of found.wrong) say(`ticked and wrong: ${each}`);
  const ends = new Map<string, string[]>();
  const wrong: string[] = [];
  for (const way of dayWays) {
    const lived = await liveAgain(place, seed, tickets, way);
    ends.set(way, lived.end);
    wrong.push(...lived.wrong);
    say(`the day once more, ${way}: ${lived.end.length} lines`);
  }
  await place.end('SIGTERM');
  const usual = ends.get('in order') ?? [];
  const differences = (way: string) => {
    const others = ends.get(way) ?? [];
    const [a, b] = [new Set(usual), new Set(others)];
    const different = [...usual.filter((each) => !b.has(each)), ...others.filter((each) => !a.has(each))];
    for (const each of different.slice(0, 10)) say(`${way}: ${each}`);
    return figure(different.length + Math.abs(usual.length - others.length), { atMost: 0 });
  };
  const count = `${found.tickets} tickets, ${found.lines} payments`;
  return {
    [`${count}: wrong pairs among the ticked`]: figure(
      found.wrong.length,
      { atMost: 0 },
      { ticked: found.tickedInAll },
    ),
    'wrong pairs among the ticked, of the four days after': figure(new Set(wrong).size, { atMost: 0 }),
    'settled pairs of sufficient evidence that are ticked (share)': figure(
      found.ticked / found.sufficient,
      { atLeast: 0.9 },
      { of: found.sufficient },
    ),
    'of which on the screen, where not all lines are looked at (share)': figure(
      found.tickedOnScreen / found.sufficient,
      { atLeast: 0.9 },
    ),
    'tickets that share their amount (share)': figure(found.sharing, undefined, { asked: 0.77 }),
    'lines left for a person': figure(found.left, undefined, { faults: JSON.stringify(found.byFault) }),
    "the administrator's calls that were answered 503": figure(found.refusals, { atMost: 0 }),
    'lines that end otherwise: another order': differences('shuffled'),
    'lines that end otherwise: everything twice': differences('twice'),
    'lines that end otherwise: killed in the middle': differences('killed'),
    'minutes in all': { measured: round((performance.now() - start) / 60_000), 'asked for': '' },
  };
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
