import type { Endpoint } from '#contract/endpoint.ts';
import { failureCatalogue } from '#contract/failure.ts';
import { hasCode } from '#web/api/client.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import type { DraftCopy, Versioned } from '#web/features/admin/shared/use-draft.ts';
import { useAction } from '#web/forms/use-action.ts';
import { useToast } from '#web/ui/toast.tsx';

interface Saving<Stored, Draft, Body> {
  /** Asked again afterwards, whatever came of it. */
  read: Endpoint;
  /** What of a draft is sent; nothing of one that cannot be saved, which its writer is told here. */
  toSend: (draft: Draft) => Body | undefined;
  /** Answers with what is stored then. */
  store: (body: Body & { expectedUpdatedAt: string | null }) => Promise<Stored>;
  /** A message's title, where it was saved, and where somebody else had saved meanwhile. */
  titles: { saved: string; refused: string };
  onFailure: (error: unknown) => void;
}

/** Saves a draft, over what its writer has seen only: the server refuses it over anything else. */
export function useSaveEdited<Stored extends Versioned, Draft, Body extends object>(
  copy: DraftCopy<Stored, Draft>,
  { read, toSend, store, titles, onFailure }: Saving<Stored, Draft, Body>,
) {
  const refresh = useRefresh();
  const toast = useToast();
  return useAction(async () => {
    const { draft, expectedUpdatedAt } = copy;
    const body = toSend(draft);
    if (body === undefined) return;
    try {
      copy.noteSaved(draft, await store({ ...body, expectedUpdatedAt }));
      toast({ title: titles.saved });
    } catch (error) {
      if (hasCode(error, 'CHANGED_MEANWHILE'))
        toast({ title: titles.refused, description: failureCatalogue.CHANGED_MEANWHILE[1], destructive: true });
      else onFailure(error);
    }
    await refresh(read);
  });
}
