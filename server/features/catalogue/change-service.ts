import { maximumLevel, type NewService, type Service, type ServiceChange } from '#contract/catalogue.ts';
import { Failure } from '#contract/failure.ts';
import type { Db } from '#server/database/connect.ts';
import { discardImage } from '#server/features/uploads/discard-images.ts';
import type { ImageStore } from '#server/features/uploads/image-store.ts';
import { imageWidths, reencodeImage } from '#server/features/uploads/reencode-image.ts';
import {
  type CataloguedService,
  countChildren,
  deleteService,
  findService,
  heightBelow,
  insertService,
  listPath,
  lockService,
  lockTree,
  moveService,
  presentService,
  replaceRanges,
  updateService,
} from './store.ts';

interface Tools {
  db: Db;
  images: ImageStore;
}

/**
 * Creates a service under its parent. Throws TREE_INVALID when the place is impossible (unknown or final parent, a sixth
 * level, a level that does not follow the parent's), and what an image may throw. Nothing is kept on failure.
 */
export async function createService(tools: Tools, data: NewService, image: Buffer | undefined): Promise<Service> {
  const { removeImage: _, commissionRanges, level: asked, ...fields } = data;
  requirePercentage(fields);
  return keepingImage(tools, image, (pictureUrl) =>
    tools.db.transaction(async (tx) => {
      await lockTree(tx);
      const level = await levelUnder(tx, fields.parentId);
      requireLevel(asked, level);
      const id = await insertService(tx, { ...fields, level, pictureUrl });
      await replaceRanges(tx, id, commissionRanges);
      return requirePresented(tx, id);
    }),
  );
}

/**
 * Changes what `data` holds; `removeImage` or a new image replaces the picture. Throws SERVICE_NOT_FOUND, TREE_INVALID
 * (also for a cycle, or a final service with children), and what an image may throw.
 */
export async function changeService(
  tools: Tools,
  id: number,
  data: ServiceChange,
  image: Buffer | undefined,
): Promise<Service> {
  const { removeImage, commissionRanges, level: asked, parentId, ...fields } = data;
  let replaced: string | null = null;
  const changed = await keepingImage(tools, image, (pictureUrl) =>
    tools.db.transaction(async (tx) => {
      await lockTree(tx);
      const before = await lockService(tx, id);
      if (!before) throw new Failure('SERVICE_NOT_FOUND');
      requirePercentage({ ...before, ...fields });
      const level = await place(tx, before, parentId === undefined ? before.parentId : parentId);
      if (parentId !== undefined) requireLevel(asked, level);
      if (fields.isFinalLevel && (await countChildren(tx, id)) > 0)
        throw new Failure('TREE_INVALID', { message: "Un service final ne peut pas contenir d'autres services." });
      const picture = pictureUrl ? { pictureUrl } : removeImage ? { pictureUrl: null } : {};
      if ('pictureUrl' in picture) replaced = before.pictureUrl;
      await updateService(tx, id, { ...fields, ...picture });
      if (commissionRanges) await replaceRanges(tx, id, commissionRanges);
      return requirePresented(tx, id);
    }),
  );
  if (replaced) await discardImage(tools, replaced);
  return changed;
}

/** Deletes a service; tickets keep their own record of it. Throws SERVICE_NOT_FOUND, HAS_CHILDREN with the count. */
export async function removeService(tools: Tools, id: number): Promise<void> {
  const service = await tools.db.transaction(async (tx) => {
    await lockTree(tx);
    const found = await lockService(tx, id);
    if (!found) throw new Failure('SERVICE_NOT_FOUND');
    const children = await countChildren(tx, id);
    if (children > 0) throw new Failure('HAS_CHILDREN', { children });
    await deleteService(tx, id);
    return found;
  });
  if (service.pictureUrl) await discardImage(tools, service.pictureUrl);
}

/** Stores the image first, so that a row never names a missing one, and takes it away again if the change fails. */
async function keepingImage<T>(
  { images }: Tools,
  image: Buffer | undefined,
  change: (pictureUrl: string | null) => Promise<T>,
): Promise<T> {
  const url = image ? await images.put(await reencodeImage(image, imageWidths.service)) : null;
  try {
    return await change(url);
  } catch (error) {
    if (url) await images.remove(url);
    throw error;
  }
}

async function levelUnder(tx: Db, parentId: number | null): Promise<number> {
  if (parentId === null) return 1;
  const parent = (await listPath(tx, parentId)).at(-1);
  if (!parent) throw new Failure('TREE_INVALID', { message: "Le service parent n'existe pas." });
  if (parent.isFinalLevel)
    throw new Failure('TREE_INVALID', { message: "Un service final ne peut pas contenir d'autres services." });
  if (parent.level >= maximumLevel)
    throw new Failure('TREE_INVALID', { message: `Le catalogue a ${maximumLevel} niveaux au plus.` });
  return parent.level + 1;
}

/** Moves a service to its new parent, with all below it, if it has one; answers its level. */
async function place(tx: Db, service: CataloguedService, parentId: number | null): Promise<number> {
  if (parentId === service.parentId) return service.level;
  const above = parentId === null ? [] : await listPath(tx, parentId);
  if (above.some((each) => each.id === service.id))
    throw new Failure('TREE_INVALID', { message: 'Un service ne peut pas se contenir lui-même.' });
  const level = await levelUnder(tx, parentId);
  if (level + (await heightBelow(tx, service.id)) > maximumLevel)
    throw new Failure('TREE_INVALID', { message: `Le catalogue a ${maximumLevel} niveaux au plus.` });
  await moveService(tx, service.id, { parentId, shift: level - service.level });
  return level;
}

function requireLevel(asked: number | undefined, level: number): void {
  if (asked !== undefined && asked !== level)
    throw new Failure('TREE_INVALID', { message: `À cet endroit du catalogue, le niveau est ${level}.` });
}

function requirePercentage(fields: Pick<CataloguedService, 'commissionType' | 'commissionValue'>): void {
  if (fields.commissionType !== 'percentage' || fields.commissionValue <= 100) return;
  const message = 'Un pourcentage ne dépasse pas 100.';
  throw new Failure('INVALID', { message, issues: [{ path: 'commissionValue', message }] });
}

async function requirePresented(tx: Db, id: number): Promise<Service> {
  const service = await findService(tx, id);
  if (!service) throw new Failure('SERVICE_NOT_FOUND');
  return presentService(service);
}
