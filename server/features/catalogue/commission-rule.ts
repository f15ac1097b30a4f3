import type { CommissionRule } from '#contract/commission.ts';
import type { CataloguedService } from './store.ts';

/** A stored service's commission, as the contract's arithmetic takes it. */
export function commissionRuleOf(service: CataloguedService): CommissionRule {
  if (service.commissionType !== 'range') return { type: service.commissionType, value: service.commissionValue };
  return {
    type: 'range',
    ranges: service.ranges.map((range) => ({
      minPrice: range.minPrice,
      maxPrice: range.maxPrice,
      rate: { type: range.commissionType, value: Number(range.commissionValue) },
    })),
  };
}
