import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { figure, median, medianRatio, percentile, round, slope } from './figures.ts';

describe('percentile', () => {
  const hundred = Array.from({ length: 100 }, (_, at) => at + 1);

  test.each([
    [0.5, 50],
    [0.99, 99],
    [0.999, 100],
    [1, 100],
    [0, 1],
  ])('%f of 1 to 100 is %i', (share, value) => expect(percentile(hundred, share)).toBe(value));

  test('of one is that one, and of none is no number', () => {
    expect(percentile([7], 0.99)).toBe(7);
    expect(percentile([], 0.99)).toBeNaN();
  });

  test('is one of the values, with the share of them not above it', () => {
    const values = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 });
    fc.assert(
      fc.property(values, fc.double({ min: 0.01, max: 1, noNaN: true }), (all, share) => {
        const found = percentile(all, share);
        expect(all).toContain(found);
        expect(all.filter((each) => each <= found).length).toBeGreaterThanOrEqual(share * all.length - 1e-9);
        expect(all.filter((each) => each < found).length).toBeLessThan(share * all.length + 1e-9);
      }),
    );
  });

  test('sorts by value and not by letter, and leaves what it was given as it is', () => {
    const values = [10, 9, 100];
    expect(percentile(values, 0.5)).toBe(10);
    expect(values).toEqual([10, 9, 100]);
  });
});

test('the median is in the middle, or between the two there', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 30])).toBe(3);
  expect(median([5])).toBe(5);
  expect(median([])).toBeNaN();
});

test('a ratio compares what was measured in one round, so that a slow machine changes nothing', () => {
  expect(medianRatio([10, 1, 20], [5, 0.5, 10])).toBe(2);
  expect(medianRatio([8, 9, 100], [2, 3, 4])).toBe(4);
  expect(() => medianRatio([1, 2], [1])).toThrow('2 rounds beside 1');
});

test('the slope of a line is its own, whatever the noise on both sides of it', () => {
  expect(slope([0, 1, 2, 3].map((x) => ({ x, y: 7 + 2.5 * x })))).toBeCloseTo(2.5);
  expect(
    slope([
      { x: 0, y: 1 },
      { x: 1, y: -1 },
      { x: 2, y: -1 },
      { x: 3, y: 1 },
    ]),
  ).toBeCloseTo(0);
  expect(
    slope([
      { x: 1, y: 1 },
      { x: 1, y: 2 },
    ]),
  ).toBeNaN();
});

test('a figure says whether it holds, from the value itself and not from what is shown of it', () => {
  expect(figure(0.6996, { atLeast: 0.7 })).toEqual({ measured: 0.7, 'asked for': '≥ 0.7', holds: 'NO' });
  expect(figure(0.7, { atLeast: 0.7 }).holds).toBe('yes');
  expect(figure(300, { atMost: 300 }).holds).toBe('yes');
  expect(figure(50, { below: 50 }).holds).toBe('NO');
  expect(figure(Number.NaN, { below: 50 }).holds).toBe('NO');
  expect(figure(3, undefined, { p99: 1 })).toEqual({ measured: 3, 'asked for': '', holds: '', p99: 1 });
});

test('what is shown has three digits that count', () => {
  expect([0.012345, 1.2345, 12.345, 123.45, 12345.6].map(round)).toEqual([0.0123, 1.23, 12.3, 123, 12346]);
});
