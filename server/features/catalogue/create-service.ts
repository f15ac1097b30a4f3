import type { NewService } from '#contract/catalogue-edits.ts';
import { insertImage } from '#server/features/uploads/store.ts';
import type { UploadTools } from '#server/features/uploads/store-upload.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import { requireLevel, requireLevelUnder, requirePercentage, requireService } from './service-checks.ts';
import { type CataloguedService, insertService, lockCatalogue, replaceRanges } from './store.ts';

/** Creates a service under its parent. Throws TREE_INVALID for an impossible place, and the failures of images. */
export async function createService(
  { encodeImage }: UploadTools,
  write: AuditedWrite,
  data: NewService,
  file: Buffer | undefined,
): Promise<CataloguedService> {
  const { removeImage: _, commissionRanges, level: asked, ...fields } = data;
  requirePercentage(fields);
  const image = file && (await encodeImage(file));
  return write(async (tx, note) => {
    await lockCatalogue(tx);
    const level = await requireLevelUnder(tx, fields.parentId);
    requireLevel(asked, level);
    const pictureUrl = image ? await insertImage(tx, image) : null;
    const id = await insertService(tx, { ...fields, level, pictureUrl });
    await replaceRanges(tx, id, commissionRanges);
    note({ target: id });
    return requireService(tx, id);
  });
}
