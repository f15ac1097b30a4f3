import type { AdminService, Service } from '#contract/catalogue.ts';
import { type CataloguedService, rangesOf } from './store.ts';

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
    commissionRanges: rangesOf(row),
    textSize: row.textSize,
    textColor: row.textColor,
    textStyle: row.textStyle,
    phoneNumber: row.phoneNumber,
    sortOrder: row.sortOrder,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function presentAdminService(row: CataloguedService): AdminService {
  return { ...presentService(row), operatorNote: row.operatorNote };
}
