import type { FieldErrors } from '#web/forms/read-form.ts';
import { overlapsOf } from './range-checks.ts';
import { readFrancs, readOrder, readRate } from './read-number.ts';
import { type RangeDraft, readRanges, type ServiceDraft } from './service-draft.ts';

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

/** The errors of a range, by field. */
export function rangeErrors({ minPrice, maxPrice, commissionValue }: RangeDraft): FieldErrors {
  const [from, to] = [readFrancs(minPrice), readFrancs(maxPrice)];
  return {
    ...(from === undefined && { minPrice: notFrancs }),
    ...(maxPrice.trim() && to === undefined && { maxPrice: notFrancs }),
    ...(from !== undefined && to !== undefined && to < from && { maxPrice: 'Plus petit que le minimum.' }),
    ...(readRate(commissionValue) === undefined && { commissionValue: notARate }),
  };
}
