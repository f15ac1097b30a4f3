import type { AdminService } from '#contract/catalogue.ts';
import { makeService } from '#web/catalogue/test-service.ts';
import { buildTree, type ServiceTree } from './service-tree.ts';

/** A service for tests, as administrators see it. */
export function makeAdminService(fields: Partial<AdminService> & { id: number }): AdminService {
  return { ...makeService(fields), operatorNote: fields.operatorNote ?? '' };
}

/** A tree of services given with their parents; parents come first. */
export function makeTree(...services: (Partial<AdminService> & { id: number })[]): ServiceTree {
  const made: AdminService[] = [];
  for (const fields of services) {
    const parent = made.find(({ id }) => id === fields.parentId);
    made.push(makeAdminService({ level: (parent?.level ?? 0) + 1, ...fields }));
  }
  return buildTree(made);
}
