import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import { maximumLevel } from '#contract/shapes.ts';
import type { Db } from '#server/database/connect.ts';
import { type CataloguedService, findService, readPlace } from './store.ts';

/** The level under a parent. Throws TREE_INVALID for an unknown or final parent, and for a sixth level. */
export async function requireLevelUnder(tx: Db, parentId: number | null): Promise<number> {
  return levelUnder(parentId === null ? null : (await readPlace(tx, parentId)).at(-1));
}

/** The same for a loaded parent; null stands for the top of the tree. */
export function levelUnder(parent: Pick<CataloguedService, 'level' | 'isFinalLevel'> | null | undefined): number {
  if (parent === null) return 1;
  if (!parent) throw new Failure('TREE_INVALID', { message: failureSentences.unknownParent });
  if (parent.isFinalLevel) throw finalWithChildren();
  if (parent.level >= maximumLevel) throw tooDeep();
  return parent.level + 1;
}

/** Throws TREE_INVALID if a caller names another level than the place's; the level is optional. */
export function requireLevel(asked: number | undefined, level: number): void {
  if (asked !== undefined && asked !== level)
    throw new Failure('TREE_INVALID', { message: failureSentences.otherLevel(level) });
}

/** Throws INVALID for a percentage above 100. */
export function requirePercentage(fields: Pick<CataloguedService, 'commissionType' | 'commissionValue'>): void {
  if (fields.commissionType !== 'percentage' || fields.commissionValue <= 100) return;
  const message = failureSentences.percentageTooHigh;
  throw new Failure('INVALID', { message, issues: [{ path: 'commissionValue', message }] });
}

/** Throws SERVICE_NOT_FOUND. */
export async function requireService(tx: Db, id: number): Promise<CataloguedService> {
  const service = await findService(tx, id);
  if (!service) throw new Failure('SERVICE_NOT_FOUND');
  return service;
}

export function finalWithChildren(): Failure {
  return new Failure('TREE_INVALID', { message: failureSentences.finalWithChildren });
}

export function underItself(): Failure {
  return new Failure('TREE_INVALID', { message: failureSentences.underItself });
}

export function tooDeep(): Failure {
  return new Failure('TREE_INVALID', { message: failureSentences.tooDeep });
}
