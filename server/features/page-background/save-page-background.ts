import type { PageBackground } from '#contract/page-background.ts';
import { deleteImageIfUnused } from '#server/features/uploads/delete-image-if-unused.ts';
import type { ImageTools } from '#server/features/uploads/image-tools.ts';
import { requireImageFromHere } from '#server/features/uploads/require-image-from-here.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import { replacePageBackground } from './store.ts';

/** Sets the page background and deletes the image it replaces. Throws INVALID for an image that was not uploaded here. */
export async function savePageBackground(tools: ImageTools, write: AuditedWrite, next: PageBackground): Promise<void> {
  await requireImageFromHere(tools.images, next.backgroundImage);
  const { replaced } = await write((tx) => replacePageBackground(tx, next));
  if (replaced) await deleteImageIfUnused(tools, replaced);
}
