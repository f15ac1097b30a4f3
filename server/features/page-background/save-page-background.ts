import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import type { PageBackground } from '#contract/page-background.ts';
import { deleteImageIfUnused } from '#server/features/uploads/delete-image-if-unused.ts';
import type { ImageTools } from '#server/features/uploads/image-tools.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import { replacePageBackground } from './store.ts';

/** Sets the page background and deletes the image it replaces. Throws INVALID for an image that was not uploaded here. */
export async function savePageBackground(tools: ImageTools, write: AuditedWrite, next: PageBackground): Promise<void> {
  if (next.backgroundImage && !(await tools.images.has(next.backgroundImage)))
    throw new Failure('INVALID', { message: failureSentences.imageNotFromHere });
  const { replaced } = await write((tx) => replacePageBackground(tx, next));
  if (replaced) await deleteImageIfUnused(tools, replaced);
}
