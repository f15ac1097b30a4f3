import type { Endpoint } from '#contract/endpoint.ts';
import { failureCatalogue } from '#contract/failure.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import { useAction } from '#web/forms/use-action.ts';
import { useToast } from '#web/ui/toast.tsx';
import type { useEditedCopy } from './use-edited-copy.ts';

interface Saving<Draft, Body> {
  /** Asked again afterwards, whatever came of it. */
  read: Endpoint;
  /** What of a draft is sent; nothing of one that cannot be saved, which its writer is told here. */
  toSend: (draft: Draft) => Body | undefined;
  /** What is stored now, as a draft. */
  readStored: () => Promise<Draft>;
  /** Answers with what is stored then, as a draft. */
  store: (body: Body) => Promise<Draft>;
  /** A message's title, where it was saved, and where somebody else had saved meanwhile. */
  titles: { saved: string; refused: string };
  onFailure: (error: unknown) => void;
}

/** Saves an edited copy, over what its writer has seen only. */
export function useSaveEdited<Draft, Body>(
  copy: ReturnType<typeof useEditedCopy<Draft>>,
  { read, toSend, readStored, store, titles, onFailure }: Saving<Draft, Body>,
) {
  const refresh = useRefresh();
  const toast = useToast();
  return useAction(async () => {
    const { draft } = copy;
    const body = toSend(draft);
    if (body === undefined) return;
    try {
      if (copy.isBase(await readStored())) {
        copy.noteSaved(draft, await store(body));
        toast({ title: titles.saved });
      } else toast({ title: titles.refused, description: failureCatalogue.CHANGED_MEANWHILE[1], destructive: true });
    } catch (error) {
      onFailure(error);
    }
    await refresh(read);
  });
}
