import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maximumAmount } from './money.ts';
import {
  type CommissionRange,
  type CommissionRule,
  commissionOn,
  isFree,
  listedAmount,
  priceOf,
  priceTextOf,
  rangesOverlap,
  solveAmount,
} from './pricing.ts';

const amount = fc.oneof(fc.integer({ min: 1, max: maximumAmount }), fc.integer({ min: 1, max: 3_000 }));
const fixed = fc.integer({ min: 0, max: maximumAmount }).map((value) => ({ type: 'fixed' as const, value }));
/** 0 to 100 %, two decimals. */
const percentage = fc.integer({ min: 0, max: 10_000 }).map((value) => ({
  type: 'percentage' as const,
  value: value / 100,
}));
const rate = fc.oneof(
  fixed,
  percentage,
  fc.integer({ min: 0, max: 500 }).map((value) => ({ type: 'fixed' as const, value })),
);

/** Ranges that share no amount: sorted distinct bounds in pairs, so with gaps; the last one may have no end. */
function rangesUpTo(highest: number): fc.Arbitrary<CommissionRule> {
  const bounds = fc.uniqueArray(fc.integer({ min: 0, max: highest }), { maxLength: 12 });
  return fc
    .tuple(bounds, fc.array(rate, { minLength: 7, maxLength: 7 }), fc.boolean(), fc.boolean())
    .map(([given, rates, openEnded, touching]) => {
      const sorted = given.sort((a, b) => a - b);
      const ranges: CommissionRange[] = [];
      for (let index = 0; index + 1 < sorted.length; index += 2) {
        const previous = ranges.at(-1)?.maxPrice ?? undefined;
        const minPrice = touching && previous !== undefined ? previous + 1 : (sorted[index] as number);
        ranges.push({
          minPrice,
          maxPrice: sorted[index + 1] as number,
          rate: rates[index / 2] as CommissionRange['rate'],
        });
      }
      const last = ranges.at(-1);
      if (last && openEnded) last.maxPrice = null;
      return { type: 'range', ranges };
    });
}
const rule = fc.oneof(rate, rangesUpTo(maximumAmount), rangesUpTo(3_000));

const bands: CommissionRule = {
  type: 'range',
  ranges: [
    { minPrice: 1, maxPrice: 5_000, rate: { type: 'fixed', value: 100 } },
    { minPrice: 5_001, maxPrice: 20_000, rate: { type: 'percentage', value: 1.5 } },
    { minPrice: 30_000, maxPrice: null, rate: { type: 'fixed', value: 500 } },
  ],
};

describe('commission', () => {
  test.each<[number, CommissionRule, number]>([
    [1_000, { type: 'fixed', value: 100 }, 100],
    [1_000, { type: 'fixed', value: 99.49 }, 99],
    [1_000, { type: 'fixed', value: 99.5 }, 100],
    [0, { type: 'fixed', value: 100 }, 0],
    // A tie that binary fractions would lose.
    [5_000, { type: 'percentage', value: 1.13 }, 57],
    [1, { type: 'percentage', value: 49.99 }, 0],
    [1, { type: 'percentage', value: 50 }, 1],
    [maximumAmount, { type: 'percentage', value: 100 }, maximumAmount],
    [5_000, bands, 100],
    [5_001, bands, 75],
    [20_001, bands, 0],
    [30_000, bands, 500],
    [maximumAmount, bands, 500],
    [1_000, { type: 'range', ranges: [] }, 0],
  ])('on %d under %j is %d', (given, under, expected) => {
    expect(commissionOn(given, under)).toBe(expected);
  });

  test('a percentage of two decimals is exact: no floating-point franc is gained or lost', () => {
    fc.assert(
      fc.property(amount, fc.integer({ min: 0, max: 10_000 }), (given, hundredths) => {
        const exact = (2n * BigInt(given) * BigInt(hundredths) + 10_000n) / 20_000n;
        expect(commissionOn(given, { type: 'percentage', value: hundredths / 100 })).toBe(Number(exact));
      }),
    );
  });

  test('ranges overlap exactly when some amount lies in two of them', () => {
    const bound = fc.integer({ min: 0, max: 30 });
    const range = fc.tuple(bound, bound, fc.boolean()).map(([a, b, open]) => ({
      minPrice: Math.min(a, b),
      maxPrice: open ? null : Math.max(a, b),
      rate: { type: 'fixed' as const, value: 1 },
    }));
    fc.assert(
      fc.property(fc.array(range, { maxLength: 5 }), (ranges) => {
        const shared = Array.from({ length: 32 }, (_, at) => at).some(
          (at) => ranges.filter((each) => at >= each.minPrice && at <= (each.maxPrice ?? Infinity)).length > 1,
        );
        expect(rangesOverlap(ranges)).toBe(shared);
      }),
    );
  });
});

describe('price', () => {
  test('total = amount + commission, whole and never negative, under any rule', () => {
    fc.assert(
      fc.property(fc.oneof(amount, fc.constant(0)), rule, (given, under) => {
        const price = priceOf(given, under);
        expect(price.total).toBe(price.amount + price.commission);
        for (const part of [price.amount, price.commission, price.total])
          expect(Number.isSafeInteger(part) && part >= 0).toBe(true);
        expect(price.amount).toBe(given);
      }),
    );
  });

  test('of a path is the last non-empty price text', () => {
    const path = [{ price: '500 F' }, { price: '1 500 F' }, { price: null }, { price: '  ' }, { price: '' }];
    expect(priceTextOf(path)).toBe('1 500 F');
    expect(listedAmount(path)).toBe(1500);
    expect(priceTextOf([{ price: null }])).toBeUndefined();
    expect(listedAmount([])).toBe(0);
    expect(listedAmount([{ price: '500 F' }, { price: 'Gratuit' }])).toBe(0);
  });

  test('is free where a text says so, and not where an agent gives it (P8.9)', () => {
    expect(isFree(0, [{ price: '500 F' }, { price: 'Gratuit' }])).toBe(true);
    expect(isFree(0, [{ price: '0 FCFA' }])).toBe(true);
    expect(isFree(0, [{ price: null }])).toBe(false);
    expect(isFree(0, [{ price: 'Sur devis' }])).toBe(false);
    expect(isFree(500, [{ price: 'Gratuit' }])).toBe(false);
  });
});

describe('solving the amount from the total', () => {
  test.each<[number, CommissionRule, number | undefined]>([
    [1_100, { type: 'fixed', value: 100 }, 1_000],
    [100, { type: 'fixed', value: 100 }, undefined],
    [101, { type: 'fixed', value: 100 }, 1],
    [1_025, { type: 'percentage', value: 1.5 }, 1_010],
    [5_100, bands, 5_000],
    [5_076, bands, 4_976],
    [0, bands, undefined],
    [2 * maximumAmount, { type: 'percentage', value: 100 }, maximumAmount],
    [3, { type: 'percentage', value: 100 }, undefined],
    [maximumAmount + 1, { type: 'fixed', value: 0 }, undefined],
  ])('%d under %j is %j', (total, under, expected) => {
    expect(solveAmount(total, under)).toBe(expected);
  });

  test('any total made from an amount is solved, and the solution has that total', () => {
    fc.assert(
      fc.property(amount, rule, (given, under) => {
        const { total } = priceOf(given, under);
        const solved = solveAmount(total, under);
        expect(solved).toBeDefined();
        expect(solved).toBeLessThanOrEqual(given);
        expect(priceOf(solved as number, under).total).toBe(total);
      }),
      { numRuns: 500 },
    );
  });
});
