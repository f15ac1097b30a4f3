import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import type { ImageStore } from './image-store.ts';

/** Throws INVALID for the address of an image that is not stored here; none is fine. */
export async function requireImageFromHere(images: ImageStore, url: string | null | undefined): Promise<void> {
  if (url && !(await images.has(url))) throw new Failure('INVALID', { message: failureSentences.imageNotFromHere });
}
