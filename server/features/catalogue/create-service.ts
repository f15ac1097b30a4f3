import type { NewService } from '#contract/catalogue.ts';
import type { UploadTools } from '#server/features/uploads/image-tools.ts';
import { withStoredImage } from '#server/features/uploads/with-stored-image.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import { requireLevel, requireLevelUnder, requirePercentage, requireService } from './service-checks.ts';
import { type CataloguedService, insertService, lockCatalogue, replaceRanges } from './store.ts';

/**
 * Creates a service under its parent. Throws TREE_INVALID for an impossible place: an unknown or final parent, a sixth
 * level, a level that does not follow the parent's. Throws what an image may throw. Nothing is kept on failure.
 */
export async function createService(
  tools: UploadTools,
  write: AuditedWrite,
  data: NewService,
  image: Buffer | undefined,
): Promise<CataloguedService> {
  const { removeImage: _, commissionRanges, level: asked, ...fields } = data;
  requirePercentage(fields);
  return withStoredImage(tools, image, (pictureUrl) =>
    write(async (tx, note) => {
      await lockCatalogue(tx);
      const level = await requireLevelUnder(tx, fields.parentId);
      requireLevel(asked, level);
      const id = await insertService(tx, { ...fields, level, pictureUrl });
      await replaceRanges(tx, id, commissionRanges);
      note({ target: id });
      return requireService(tx, id);
    }),
  );
}
