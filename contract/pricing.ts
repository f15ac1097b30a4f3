import { amountIntervals, type CommissionRule, commissionOn } from './commission.ts';
import { maximumAmount, parsePrice } from './money.ts';

/** The cost of an order, in whole CFA francs: total = amount + commission. */
export interface Price {
  amount: number;
  commission: number;
  total: number;
}

/** The price text of a path of services: the last non-empty one. */
export function priceTextOf(path: readonly { price: string | null }[]): string | undefined {
  return path.findLast((service) => service.price?.trim())?.price ?? undefined;
}

/** The amount of a path in CFA francs, before commission; 0 when no service on it has a readable price. */
export function listedAmount(path: readonly { price: string | null }[]): number {
  return parsePrice(priceTextOf(path)) ?? 0;
}

/** Whether a service on a path has a readable price. Without one, an agent gives the price. */
export function hasPrice(path: readonly { price: string | null }[]): boolean {
  return parsePrice(priceTextOf(path)) !== undefined;
}

export function priceOf(amount: number, rule: CommissionRule): Price {
  const commission = commissionOn(amount, rule);
  return { amount, commission, total: amount + commission };
}

/**
 * The smallest amount whose total is `total`; `undefined` if rounding or the steps between ranges skip that total. On
 * an interval with one rate the total grows with the amount, hence the binary search.
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
