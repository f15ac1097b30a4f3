import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maximumAmount } from '#contract/money.ts';
import { type CommissionRange, commissionOn, rangesOverlap } from '#contract/pricing.ts';
import { gapsOf, overlapsOf } from './draft-errors.ts';

const range = (minPrice: number, maxPrice: number | null): CommissionRange => ({
  minPrice,
  maxPrice,
  rate: { type: 'fixed', value: 100 },
});

describe('gaps', () => {
  test.each<[what: string, ranges: CommissionRange[], gaps: { from: number; to: number | null }[]]>([
    ['no range leaves all', [], [{ from: 1, to: null }]],
    ['one without end leaves nothing', [range(1, null)], []],
    ['one from 0 leaves nothing below', [range(0, null)], []],
    ['what is below the first', [range(500, null)], [{ from: 1, to: 499 }]],
    ['what is above the last', [range(1, 5000)], [{ from: 5001, to: null }]],
    ['nothing above the highest amount', [range(1, maximumAmount)], []],
    ['between two, whatever their order', [range(60_000, null), range(1, 50_000)], [{ from: 50_001, to: 59_999 }]],
    ['one amount', [range(1, 9), range(11, null)], [{ from: 10, to: 10 }]],
    ['none where one is in another', [range(1, 100), range(10, 20), range(101, null)], []],
  ])('%s', (_, ranges, gaps) => {
    expect(gapsOf(ranges)).toEqual(gaps);
  });
});

describe('overlaps', () => {
  test('are told by the two ranges and the amounts that they share', () => {
    const ranges = [range(1, 5500), range(60_000, null), range(5001, 50_000), range(100_000, null)];
    expect(overlapsOf(ranges)).toEqual([
      { first: 0, second: 2, from: 5001, to: 5500 },
      { first: 1, second: 3, from: 100_000, to: null },
    ]);
  });

  test('are none where one ends before the next begins', () => {
    expect(overlapsOf([range(1, 5000), range(5001, null)])).toEqual([]);
  });
});

const anyRange = fc
  .record({ minPrice: fc.nat(60), length: fc.option(fc.nat(30)) })
  .map(({ minPrice, length }) => range(minPrice, length === null ? null : minPrice + length));

test('ranges overlap where the contract says so, and gaps are where it knows no commission', () => {
  fc.assert(
    fc.property(fc.array(anyRange, { maxLength: 6 }), fc.integer({ min: 1, max: 120 }), (ranges, amount) => {
      expect(overlapsOf(ranges).length > 0).toBe(rangesOverlap(ranges));
      const isInGap = gapsOf(ranges).some(({ from, to }) => from <= amount && amount <= (to ?? Infinity));
      expect(isInGap).toBe(commissionOn(amount, { type: 'range', ranges }) === 0);
    }),
    { numRuns: 1000 },
  );
});
