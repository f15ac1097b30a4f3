import { divideRoundingHalfUp, isPriceUnreadable, maximumAmount, parsePrice } from './money.ts';

/** A fixed commission is a number of CFA francs; a percentage has two decimals at most. */
export interface Rate {
  type: 'fixed' | 'percentage';
  value: number;
}

/** From `minPrice` to `maxPrice` CFA francs, both included; without `maxPrice`, unbounded. */
export interface CommissionRange {
  minPrice: number;
  maxPrice: number | null;
  rate: Rate;
}

export type CommissionRule = Rate | { type: 'range'; ranges: readonly CommissionRange[] };

/** A service's commission, as the catalogue has it. */
export interface CommissionFields {
  commissionType: Rate['type'] | 'range';
  commissionValue: number;
  commissionRanges: readonly {
    minPrice: number;
    maxPrice: number | null;
    commissionType: Rate['type'];
    commissionValue: number;
  }[];
}

export function commissionRuleOf({
  commissionType,
  commissionValue,
  commissionRanges,
}: CommissionFields): CommissionRule {
  if (commissionType !== 'range') return { type: commissionType, value: commissionValue };
  const ranges = commissionRanges.map(({ minPrice, maxPrice, commissionType: type, commissionValue: value }) => ({
    minPrice,
    maxPrice,
    rate: { type, value },
  }));
  return { type: 'range', ranges };
}

/** The commission on an amount, in whole CFA francs, never negative. Without an amount, or in a gap between ranges: 0. */
export function commissionOn(amount: number, rule: CommissionRule): number {
  if (amount <= 0) return 0;
  if (rule.type !== 'range') return applyRate(amount, rule);
  const range = rule.ranges.find((each) => amount >= each.minPrice && amount <= (each.maxPrice ?? Infinity));
  return range ? applyRate(amount, range.rate) : 0;
}

function applyRate(amount: number, rate: Rate): number {
  if (rate.type === 'fixed') return divideRoundingHalfUp(Math.round(rate.value * 100), 100);
  return divideRoundingHalfUp(amount * Math.round(rate.value * 100), 10_000);
}

/** The intervals of amounts with one rate each, in order; outside every range the rate is 0. */
export function amountIntervals(rule: CommissionRule, highest: number): { from: number; to: number }[] {
  if (rule.type !== 'range') return [{ from: 1, to: highest }];
  const bounds = rule.ranges.flatMap((range) => [range.minPrice, (range.maxPrice ?? highest) + 1]);
  const starts = [...new Set([1, ...bounds])].filter((start) => start >= 1 && start <= highest).sort((a, b) => a - b);
  return starts.map((from, index) => ({ from, to: (starts[index + 1] ?? highest + 1) - 1 }));
}

/** Two ranges of one service may not share an amount. */
export function rangesOverlap(ranges: readonly CommissionRange[]): boolean {
  const sorted = [...ranges].sort((a, b) => a.minPrice - b.minPrice);
  return sorted.some((range, index) => {
    const next = sorted[index + 1];
    return next !== undefined && next.minPrice <= (range.maxPrice ?? Infinity);
  });
}

/** The cost of an order, in whole CFA francs: total = amount + commission. */
export interface Price {
  amount: number;
  commission: number;
  total: number;
}

/** The price text of a path of services: the last non-empty one. */
export function priceTextOf(path: readonly { price: string | null }[]): string | undefined {
  return path.filter((service) => service.price?.trim()).at(-1)?.price ?? undefined;
}

/** The amount of a path in CFA francs, before commission; 0 when no service on it has a readable price. */
export function listedAmount(path: readonly { price: string | null }[]): number {
  return parsePrice(priceTextOf(path)) ?? 0;
}

/** Whether a service on a path has a readable price. Without one, an agent gives the price. */
export function hasPrice(path: readonly { price: string | null }[]): boolean {
  return parsePrice(priceTextOf(path)) !== undefined;
}

/** Whether a path's price has digits but no readable amount, so that it cannot be ordered. */
export function isPriceUnusable(path: readonly { price: string | null }[]): boolean {
  return isPriceUnreadable(priceTextOf(path));
}

/** Whether an order costs nothing, and no agent gives a price. */
export function isFree(total: number, path: readonly { price: string | null }[]): boolean {
  return total === 0 && hasPrice(path);
}

export function priceOf(amount: number, rule: CommissionRule): Price {
  const commission = commissionOn(amount, rule);
  return { amount, commission, total: amount + commission };
}

/**
 * The smallest amount whose total is `total`; `undefined` if rounding or the steps between ranges skip that total. Within an interval of
 * one rate the total grows with the amount, hence the binary search.
 */
export function solveAmount(total: number, rule: CommissionRule): number | undefined {
  for (const interval of amountIntervals(rule, maximumAmount)) {
    let { from, to } = interval;
    while (from < to) {
      const middle = Math.floor((from + to) / 2);
      if (priceOf(middle, rule).total < total) from = middle + 1;
      else to = middle;
    }
    if (priceOf(from, rule).total === total) return from;
  }
  return undefined;
}
