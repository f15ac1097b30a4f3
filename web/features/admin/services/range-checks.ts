import { maximumAmount } from '#contract/money.ts';
import type { CommissionRange } from '#contract/pricing.ts';

/** Amounts in CFA francs, both included; without `to`, unbounded. */
export interface Span {
  from: number;
  to: number | null;
}

const endOf = ({ maxPrice }: CommissionRange) => maxPrice ?? Number.POSITIVE_INFINITY;
const spanOf = (from: number, to: number): Span => ({ from, to: to === Number.POSITIVE_INFINITY ? null : to });

/** Each overlapping pair of ranges, by their indexes, with the shared amounts. */
export function overlapsOf(ranges: readonly CommissionRange[]): (Span & { first: number; second: number })[] {
  return ranges.flatMap((range, first) =>
    ranges.slice(first + 1).flatMap((other, index) => {
      const from = Math.max(range.minPrice, other.minPrice);
      const to = Math.min(endOf(range), endOf(other));
      return from <= to ? [{ first, second: first + 1 + index, ...spanOf(from, to) }] : [];
    }),
  );
}

/** The amounts from 1 to `maximumAmount` outside every range. */
export function gapsOf(ranges: readonly CommissionRange[]): Span[] {
  const gaps: Span[] = [];
  let next = 1;
  for (const range of ranges.toSorted((a, b) => a.minPrice - b.minPrice)) {
    if (range.minPrice > next) gaps.push({ from: next, to: range.minPrice - 1 });
    next = Math.max(next, endOf(range) + 1);
  }
  if (next <= maximumAmount) gaps.push({ from: next, to: null });
  return gaps;
}
