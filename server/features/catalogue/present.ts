import type { Service } from '#contract/catalogue.ts';
import type { CataloguedService } from './store.ts';

export function presentService(row: CataloguedService): Service {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    price: row.price,
    pictureUrl: row.pictureUrl,
    level: row.level,
    parentId: row.parentId,
    isFinalLevel: row.isFinalLevel,
    isVisible: row.isVisible,
    allowUserPriceInput: row.allowUserPriceInput,
    commissionType: row.commissionType,
    commissionValue: row.commissionValue,
    commissionRanges: row.ranges.map(({ minPrice, maxPrice, commissionType, commissionValue }) => ({
      minPrice,
      maxPrice,
      commissionType,
      commissionValue: Number(commissionValue),
    })),
    textSize: row.textSize,
    textColor: row.textColor,
    textStyle: row.textStyle,
    phoneNumber: row.phoneNumber,
    sortOrder: row.sortOrder,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
