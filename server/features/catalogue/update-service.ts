import type * as z from 'zod/mini';
import type { AuditField } from '#contract/audit-words.ts';
import type { ServiceChange, updateService as updateServiceEndpoint } from '#contract/catalogue-edits.ts';
import { Failure } from '#contract/failure.ts';
import { maximumLevel } from '#contract/shapes.ts';
import { requireUnchanged } from '#server/database/columns.ts';
import type { Db } from '#server/database/connect.ts';
import { insertImage } from '#server/features/uploads/store.ts';
import type { UploadTools } from '#server/features/uploads/store-upload.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import {
  finalWithChildren,
  requireLevel,
  requireLevelUnder,
  requirePercentage,
  requireService,
  tooDeep,
  underItself,
} from './service-checks.ts';
import {
  type CataloguedService,
  countChildren,
  heightBelow,
  lockCatalogue,
  lockService,
  moveService,
  readPlace,
  replaceRanges,
  updateServiceRow,
} from './store.ts';

/** Changes a service. Throws SERVICE_NOT_FOUND, TREE_INVALID, CHANGED_MEANWHILE, and the failures of images. */
export async function updateService(
  { encodeImage }: UploadTools,
  write: AuditedWrite,
  id: number,
  { expectedUpdatedAt, ...data }: z.output<typeof updateServiceEndpoint.body>,
  file: Buffer | undefined,
): Promise<CataloguedService> {
  const { removeImage, commissionRanges, level: asked, parentId, ...fields } = data;
  const image = file && (await encodeImage(file));
  return write(async (tx, note) => {
    await lockCatalogue(tx);
    const before = await lockService(tx, id);
    if (!before) throw new Failure('SERVICE_NOT_FOUND');
    requireUnchanged(before.updatedAt, expectedUpdatedAt);
    requirePercentage({ ...before, ...fields });
    const level = await moveUnder(tx, before, parentId === undefined ? before.parentId : parentId);
    if (parentId !== undefined) requireLevel(asked, level);
    if (fields.isFinalLevel && (await countChildren(tx, id)) > 0) throw finalWithChildren();
    const picture = image ? { pictureUrl: await insertImage(tx, image) } : removeImage ? { pictureUrl: null } : {};
    await updateServiceRow(tx, id, { ...fields, ...picture });
    if (commissionRanges) await replaceRanges(tx, id, commissionRanges);
    note({ before: changedFrom(before, data) });
    return requireService(tx, id);
  });
}

/** Moves a service with all below it, if its parent changes; answers its level. */
async function moveUnder(tx: Db, service: CataloguedService, parentId: number | null): Promise<number> {
  if (parentId === service.parentId) return service.level;
  const above = parentId === null ? [] : await readPlace(tx, parentId);
  if (above.some((each) => each.id === service.id)) throw underItself();
  const level = await requireLevelUnder(tx, parentId);
  if (level + (await heightBelow(tx, service.id)) > maximumLevel) throw tooDeep();
  await moveService(tx, service.id, { parentId, shift: level - service.level });
  return level;
}

/** The earlier values of the plain fields in a change, for the audit log. */
function changedFrom(before: CataloguedService, data: ServiceChange) {
  const { removeImage: _, commissionRanges: __, ...fields } = data;
  const names: readonly (AuditField & keyof typeof fields)[] = Object.keys(fields) as (keyof typeof fields)[];
  return Object.fromEntries(names.filter((name) => before[name] !== fields[name]).map((name) => [name, before[name]]));
}
