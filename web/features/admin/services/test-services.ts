import type { AdminService } from '#contract/catalogue.ts';
import { buildTree, type ServiceTree } from './service-tree.ts';

/** A service for a test, with what the test says of it. */
export function makeService(fields: Partial<AdminService> & { id: number }): AdminService {
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
    operatorNote: '',
    ...fields,
  };
}

/** A tree of services that are told by their parents, which come first. */
export function makeTree(...services: (Partial<AdminService> & { id: number })[]): ServiceTree {
  const made: AdminService[] = [];
  for (const fields of services) {
    const parent = made.find(({ id }) => id === fields.parentId);
    made.push(makeService({ level: (parent?.level ?? 0) + 1, ...fields }));
  }
  return buildTree(made);
}
