import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { eventually } from '#server/testing/eventually.ts';
import { supervise } from './supervise.ts';

const limits = { lookMs: 1, steadyMs: 1e6, giveUpMs: 60 };
const log = { error() {} };

test('one that never comes back is given up, with the last reason, and not tried any more', async () => {
  const reasons: string[] = [];
  let starts = 0;
  const supervision = supervise({
    isThere: () => false,
    start: async () => {
      starts += 1;
      throw new Error(`reason ${starts}`);
    },
    log,
    giveUp: (reason) => reasons.push(String(reason)),
    limits: {
      ...limits,
      get giveUpMs() {
        return starts > 1 ? 0 : 1e6;
      },
    },
  });
  await eventually(() => expect(reasons).toHaveLength(1));
  const tried = starts;
  expect(tried).toBeGreaterThan(1);
  expect(reasons).toEqual([`Error: reason ${tried}`]);
  await supervision.stop();
  expect(starts).toBe(tried);
});

test('one that comes back and never stays is given up too', async () => {
  let there = false;
  let givenUp = 0;
  const supervision = supervise({
    isThere: () => {
      const was = there;
      there = false;
      return was;
    },
    start: async () => {
      there = true;
    },
    log,
    giveUp: () => {
      givenUp += 1;
    },
    limits,
  });
  await eventually(() => expect(givenUp).toBe(1));
  await supervision.stop();
});

test('stopping breaks off a start, and nothing is started after it', async () => {
  let starts = 0;
  const supervision = supervise({
    isThere: () => false,
    start: (signal) => {
      starts += 1;
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('broken off'))));
    },
    log,
    giveUp: () => expect.unreachable(),
    limits,
  });
  await turn();
  await supervision.stop();
  expect(starts).toBe(1);
});
