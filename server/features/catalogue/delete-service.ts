import { Failure } from '#contract/failure.ts';
import { deleteImageIfUnused } from '#server/features/uploads/delete-image-if-unused.ts';
import type { ImageTools } from '#server/features/uploads/image-tools.ts';
import { countChildren, deleteServiceRow, lockCatalogue, lockService } from './store.ts';

/** Deletes a service; tickets keep their own record of it. Throws SERVICE_NOT_FOUND, HAS_CHILDREN with the count. */
export async function deleteService(tools: ImageTools, id: number): Promise<void> {
  const service = await tools.db.transaction(async (tx) => {
    await lockCatalogue(tx);
    const found = await lockService(tx, id);
    if (!found) throw new Failure('SERVICE_NOT_FOUND');
    const children = await countChildren(tx, id);
    if (children > 0) throw new Failure('HAS_CHILDREN', { children });
    await deleteServiceRow(tx, id);
    return found;
  });
  if (service.pictureUrl) await deleteImageIfUnused(tools, service.pictureUrl);
}
