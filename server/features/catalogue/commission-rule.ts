import type { NewService } from '#contract/catalogue.ts';
import type { CommissionRule } from '#contract/commission.ts';
import type { CataloguedService } from './store.ts';

/** A stored service's commission, as the contract's arithmetic takes it. */
export function commissionRuleOf(service: CataloguedService): CommissionRule {
  if (service.commissionType !== 'range') return { type: service.commissionType, value: service.commissionValue };
  return {
    type: 'range',
    ranges: rangesOf(service).map(({ minPrice, maxPrice, commissionType, commissionValue }) => ({
      minPrice,
      maxPrice,
      rate: { type: commissionType, value: commissionValue },
    })),
  };
}

/** A stored service's ranges as callers give and get them, the lowest first. */
export function rangesOf({ ranges }: Pick<CataloguedService, 'ranges'>): NewService['commissionRanges'] {
  return ranges.map(({ minPrice, maxPrice, commissionType, commissionValue }) => ({
    minPrice,
    maxPrice,
    commissionType,
    commissionValue: Number(commissionValue),
  }));
}
