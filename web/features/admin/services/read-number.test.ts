import { expect, test } from 'vitest';
import { formatCount } from '#web/text/formats.ts';
import { readFrancs, readOrder, readRate } from './read-number.ts';

test.each([
  ['5000', 5000],
  [' 5 000 ', 5000],
  [formatCount(5_000_000), 5_000_000],
  ['0', 0],
  ['10 000 000', 10_000_000],
  ['10 000 001', undefined],
  ['1,5', undefined],
  ['-1', undefined],
  ['', undefined],
])('of %j are typed %s francs', (typed, francs) => {
  expect(readFrancs(typed)).toBe(francs);
});

test.each([
  ['1,5', 1.5],
  ['1.25', 1.25],
  ['1 000', 1000],
  ['1,555', undefined],
  ['1,', undefined],
  ['', undefined],
  ['-2', undefined],
])('%j is a rate of %s', (typed, rate) => {
  expect(readRate(typed)).toBe(rate);
});

test.each([
  ['10', 10],
  [' -3 ', -3],
  ['1.5', undefined],
  ['', undefined],
])('%j is the place %s', (typed, place) => {
  expect(readOrder(typed)).toBe(place);
});
