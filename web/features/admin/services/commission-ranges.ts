import type { AdminService } from '#contract/catalogue.ts';
import { commissionOn } from '#contract/pricing.ts';
import type { FieldErrors } from '#web/forms/read-form.ts';
import { formatAmount, formatCount } from '#web/text/formats.ts';
import { type RangeDraft, readFrancs, readRate, type ServiceDraft, writeRate } from './service-draft.ts';

/** What is added to a service's price, in a few words; nothing for a commission of 0. */
export function commissionWords({
  commissionType,
  commissionValue,
  commissionRanges,
}: Pick<AdminService, 'commissionType' | 'commissionValue' | 'commissionRanges'>): string {
  if (commissionType === 'range') return commissionRanges.length > 0 ? 'par tranches' : '';
  if (commissionValue === 0) return '';
  return `+ ${writeRate(commissionValue)}\u00a0${commissionType === 'fixed' ? 'FCFA' : '%'}`;
}

/** Amounts that people know, the first choice of an example first. */
const roundAmounts = [10_000, 1_000, 2_000, 5_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 500, 100];

interface RangeNote {
  /** The amounts below it that no range has, in words. */
  gap?: string;
  /** The earlier range that it shares amounts with, in words. */
  overlap?: string;
  /** The commission on an amount of it, in words. */
  example?: string;
}

const boundsOf = ({ minPrice, maxPrice }: RangeDraft) => ({
  from: readFrancs(minPrice) ?? Number.NaN,
  to: maxPrice.trim() ? (readFrancs(maxPrice) ?? Number.NaN) : Number.POSITIVE_INFINITY,
});

/** What is to be known about each typed range; nothing about one that cannot be read. */
export function rangeNotes(ranges: readonly RangeDraft[]): RangeNote[] {
  const bounds = ranges.map(boundsOf);
  return ranges.map((range, place) => {
    const { from, to } = bounds[place] ?? boundsOf(range);
    if (!(from <= to)) return {};
    const earlier = bounds.findIndex((other, at) => at < place && other.from <= to && from <= other.to);
    const covered = Math.max(0, ...bounds.flatMap((other) => (other.from < from ? other.to : [])));
    const amount = roundAmounts.find((each) => from <= each && each <= to) ?? Math.max(from, 1);
    const value = readRate(range.commissionValue);
    return {
      ...(covered + 1 < from && { gap: `De ${formatCount(covered + 1)} à ${formatCount(from - 1)}` }),
      ...(earlier >= 0 && { overlap: `Chevauche la tranche ${earlier + 1}, ${spanOf(bounds[earlier])}.` }),
      ...(value !== undefined && {
        example: `pour ${francs(amount)}\u00a0: ${francs(commissionOn(amount, { type: range.commissionType, value }))}`,
      }),
    };
  });
}

/** The errors of ranges that share amounts with an earlier one, as the form has them. */
export function overlapErrors({ isFinalLevel, commissionType, commissionRanges }: ServiceDraft): FieldErrors {
  if (!isFinalLevel || commissionType !== 'range') return {};
  return Object.fromEntries(
    rangeNotes(commissionRanges).flatMap(({ overlap }, place) =>
      overlap ? [[`commissionRanges.${place}.minPrice`, overlap]] : [],
    ),
  );
}

/** The amounts above all ranges, in words; nothing where one has no end. */
export function gapAbove(ranges: readonly RangeDraft[]): string | undefined {
  const highest = Math.max(0, ...ranges.map((range) => boundsOf(range).to));
  return highest > 0 && Number.isFinite(highest) ? `Au-delà de ${formatCount(highest)}` : undefined;
}

const francs = (amount: number) => formatAmount(amount).replace('FCFA', 'F');

const spanOf = (bounds: ReturnType<typeof boundsOf> | undefined) => {
  const { from = 0, to = 0 } = bounds ?? {};
  return Number.isFinite(to) ? `de ${formatCount(from)} à ${formatCount(to)}` : `à partir de ${formatCount(from)}`;
};
