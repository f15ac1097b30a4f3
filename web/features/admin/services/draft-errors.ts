import { maximumAmount } from '#contract/money.ts';
import type { CommissionRange } from '#contract/pricing.ts';
import type { FieldErrors } from '#web/forms/read-form.ts';
import { type RangeDraft, readFrancs, readOrder, readRanges, readRate, type ServiceDraft } from './service-draft.ts';

const notFrancs = 'Un nombre entier, 10 000 000 au plus.';
const notARate = 'Un nombre, deux décimales au plus.';

/**
 * Values that cannot be parsed, by the server's field names. The server checks everything else: its schemas would
 * enlarge the first screen of every phone (decision 8).
 */
export function draftErrors(draft: ServiceDraft, isNew: boolean): FieldErrors {
  const errors: FieldErrors = {};
  if (!(isNew && draft.sortOrder.trim() === '') && readOrder(draft.sortOrder) === undefined)
    errors.sortOrder = 'Un nombre entier.';
  if (!draft.isFinalLevel) return errors;
  if (draft.commissionType !== 'range') {
    if (readRate(draft.commissionValue) === undefined) errors.commissionValue = notARate;
    return errors;
  }
  for (const [place, range] of draft.commissionRanges.entries())
    for (const [name, error] of Object.entries(rangeErrors(range))) errors[`commissionRanges.${place}.${name}`] = error;
  const ranges = readRanges(draft).map(({ range }) => range);
  if (overlapsOf(ranges).length > 0) errors.commissionRanges = 'Séparez les tranches qui se chevauchent.';
  return errors;
}

export function rangeErrors({ minPrice, maxPrice, commissionValue }: RangeDraft): FieldErrors {
  const [from, to] = [readFrancs(minPrice), readFrancs(maxPrice)];
  return {
    ...(from === undefined && { minPrice: notFrancs }),
    ...(maxPrice.trim() && to === undefined && { maxPrice: notFrancs }),
    ...(from !== undefined && to !== undefined && to < from && { maxPrice: 'Plus petit que le minimum.' }),
    ...(readRate(commissionValue) === undefined && { commissionValue: notARate }),
  };
}

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
  for (const range of [...ranges].sort((a, b) => a.minPrice - b.minPrice)) {
    if (range.minPrice > next) gaps.push({ from: next, to: range.minPrice - 1 });
    next = Math.max(next, endOf(range) + 1);
  }
  if (next <= maximumAmount) gaps.push({ from: next, to: null });
  return gaps;
}
