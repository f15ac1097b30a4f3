import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openSchedule, type Stream } from './schedule.ts';

const polls: Stream[] = [
  { perSecond: 60, targets: 300 },
  { perSecond: 30, targets: 300 },
  { perSecond: 10, targets: 300 },
];

/** All that is taken by these looks at the clock. */
const takeAll = (streams: Stream[], looks: readonly number[]) => {
  const schedule = openSchedule(streams);
  return looks.map((elapsed) => ({ elapsed, due: schedule.take(elapsed) }));
};

test('however the clock is looked at, the same requests are due, none early, none twice', () => {
  const looks = fc.array(fc.integer({ min: 0, max: 9_000 }), { maxLength: 30 });
  const whole = openSchedule(polls).take(10_000);
  fc.assert(
    fc.property(looks, (times) => {
      const taken = takeAll(polls, [...times.sort((a, b) => a - b), 10_000]);
      expect(taken.filter(({ elapsed, due }) => due.some(({ at }) => at > elapsed))).toEqual([]);
      expect(taken.flatMap(({ due }) => due).sort(byTime)).toEqual([...whole].sort(byTime));
    }),
  );
});
const byTime = (a: { at: number; stream: number }, b: { at: number; stream: number }) =>
  a.at - b.at || a.stream - b.stream;

test('each target is asked once a period, at even steps', () => {
  const due = openSchedule(polls).take(59_999);
  const [first = []] = [due.filter(({ stream }) => stream === 0)];
  expect(first).toHaveLength(60 * 60);
  for (const target of [0, 17, 299]) {
    const times = first.filter((each) => each.target === target).map(({ at }) => at);
    expect(times).toHaveLength(12);
    for (const [turn, at] of times.entries()) expect(at).toBeCloseTo((target * 1_000) / 60 + turn * 5_000);
  }
  expect(due.filter(({ stream }) => stream === 1)).toHaveLength(30 * 60);
  expect(due.filter(({ stream }) => stream === 2)).toHaveLength(10 * 60);
});

test('a late look finds the instants that were missed, in their order', () => {
  const schedule = openSchedule([
    { perSecond: 1_000, targets: 7 },
    { perSecond: 500, targets: 7 },
  ]);
  schedule.take(0);
  const due = schedule.take(10);
  expect(due.map(({ at }) => at)).toEqual([1, 2, 2, 3, 4, 4, 5, 6, 6, 7, 8, 8, 9, 10, 10]);
});
