import type * as z from 'zod/mini';
import type { savePageBackground as savePageBackgroundEndpoint } from '#contract/page-background.ts';
import { requireUnchanged } from '#server/database/require-unchanged.ts';
import { deleteImageIfUnused, type ImageTools, requireImageFromHere } from '#server/features/uploads/stored-images.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import { lockPageBackground, type PageBackgroundRow, updatePageBackground } from './store.ts';

/** Sets the page background and deletes the image it replaces. Throws CHANGED_MEANWHILE, INVALID for a foreign image. */
export async function savePageBackground(
  tools: ImageTools,
  write: AuditedWrite,
  { expectedUpdatedAt, ...look }: z.output<typeof savePageBackgroundEndpoint.body>,
): Promise<PageBackgroundRow> {
  await requireImageFromHere(tools.images, look.backgroundImage);
  const { before, after } = await write(async (tx) => {
    const before = await lockPageBackground(tx);
    requireUnchanged(before.updatedAt, expectedUpdatedAt);
    return { before, after: await updatePageBackground(tx, look) };
  });
  const replaced = before.backgroundImage;
  if (replaced && replaced !== after.backgroundImage) await deleteImageIfUnused(tools, replaced);
  return after;
}
