import { expect, test } from 'vitest';
import { figure, medianRatio, percentile, round } from './figures.ts';

test('a percentile is the nearest rank by value, and of none it is no number', () => {
  const hundred = Array.from({ length: 100 }, (_, at) => 100 - at);
  expect([0, 0.5, 0.99, 0.999, 1].map((share) => percentile(hundred, share))).toEqual([1, 50, 99, 100, 100]);
  expect(hundred[0]).toBe(100);
  expect(percentile([], 0.99)).toBeNaN();
});

test('a ratio compares round by round, so that a slow machine changes nothing', () => {
  expect(medianRatio([10, 1, 20], [5, 0.5, 10])).toBe(2);
  expect(medianRatio([8, 9, 100], [2, 3, 4])).toBe(4);
  expect(() => medianRatio([1, 2], [1])).toThrow('2 rounds beside 1');
});

test('a figure says whether it holds by the value itself and not by its rounded form', () => {
  expect(figure(0.6996, { atLeast: 0.7 })).toEqual({ measured: 0.7, target: '≥ 0.7', holds: 'NO' });
  expect(figure(0.7, { atLeast: 0.7 }).holds).toBe('yes');
  expect(figure(50, { below: 50 }).holds).toBe('NO');
  expect(figure(Number.NaN, { below: 50 }).holds).toBe('NO');
  expect(figure(3, undefined, { p99: 1 })).toEqual({ measured: 3, target: '', holds: '', p99: 1 });
  expect([0.012345, 12.345, 12345.6].map(round)).toEqual([0.0123, 12.3, 12346]);
});
