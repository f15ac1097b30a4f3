import { Failure } from '#contract/failure.ts';
import { deleteImageIfUnused } from '#server/features/uploads/delete-image-if-unused.ts';
import type { ImageTools } from '#server/features/uploads/image-tools.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import { countChildren, deleteServiceRow, lockCatalogue, lockService } from './store.ts';

/** Deletes a service; tickets keep their own record of it. Throws SERVICE_NOT_FOUND, HAS_CHILDREN with the count. */
export async function deleteService(tools: ImageTools, write: AuditedWrite, id: number): Promise<void> {
  const service = await write(async (tx, note) => {
    await lockCatalogue(tx);
    const found = await lockService(tx, id);
    if (!found) throw new Failure('SERVICE_NOT_FOUND');
    const children = await countChildren(tx, id);
    if (children > 0) throw new Failure('HAS_CHILDREN', { children });
    await deleteServiceRow(tx, id);
    note({ before: { name: found.name, parentId: found.parentId } });
    return found;
  });
  if (service.pictureUrl) await deleteImageIfUnused(tools, service.pictureUrl);
}
