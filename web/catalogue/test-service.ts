import type { Service } from '#contract/catalogue.ts';

/** A service for tests, with the given fields. */
export function makeService(fields: Partial<Service> & { id: number }): Service {
  return {
    name: `Service ${fields.id}`,
    description: '',
    price: null,
    pictureUrl: null,
    level: 1,
    parentId: null,
    isFinalLevel: false,
    isVisible: true,
    allowUserPriceInput: false,
    commissionType: 'fixed',
    commissionValue: 0,
    commissionRanges: [],
    textSize: 'medium',
    textColor: '#1E293B',
    textStyle: 'normal',
    phoneNumber: null,
    sortOrder: 0,
    createdAt: '2026-11-21T10:00:00.000Z',
    updatedAt: '2026-11-21T10:00:00.000Z',
    ...fields,
  };
}
