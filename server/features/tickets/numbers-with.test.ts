import fc from 'fast-check';
import { expect, test } from 'vitest';
import { numbersWith } from './ticket-search.ts';

test('finds each number whose text holds the digits, and no other', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9_999 }), fc.stringMatching(/^[0-9]{1,5}$/), (last, digits) => {
      const all = Array.from({ length: last }, (_, index) => index + 1).filter((each) => String(each).includes(digits));
      expect(numbersWith(digits, last, 10_000)?.toSorted((a, b) => a - b)).toEqual(all);
    }),
  );
});

test('gives up where there are too many, and soon', () => {
  expect(numbersWith('7', 2_000_000_000, 50_000)).toBeUndefined();
  expect(numbersWith('482', 1_000_000, 50_000)).toHaveLength(3_999);
});
