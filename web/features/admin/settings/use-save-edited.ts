import type { Endpoint } from '#contract/endpoint.ts';
import { failureCatalogue } from '#contract/failure.ts';
import { hasCode } from '#web/api/client.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import type { DraftCopy, Versioned } from '#web/features/admin/shared/use-draft.ts';
import { useAction } from '#web/forms/use-action.ts';
import { useToast } from '#web/ui/toast.tsx';

interface Saving<Stored, Draft, Body> {
  /** Refetched afterwards, whatever the outcome. */
  read: Endpoint;
  /** The request body of a draft; `undefined` after it has reported an invalid draft. */
  toSend: (draft: Draft) => Body | undefined;
  /** Resolves with the stored version. */
  store: (body: Body & { expectedUpdatedAt: string | null }) => Promise<Stored>;
  /** Toast titles of a save, and of a refused stale version. */
  titles: { saved: string; refused: string };
  onFailure: (error: unknown) => void;
}

/** Saves a draft over the version its editor saw: the server refuses a stale one. */
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
      copy.recordSaved(draft, await store({ ...body, expectedUpdatedAt }));
      toast({ title: titles.saved });
    } catch (error) {
      if (hasCode(error, 'CHANGED_MEANWHILE'))
        toast({ title: titles.refused, description: failureCatalogue.CHANGED_MEANWHILE[1], destructive: true });
      else onFailure(error);
    }
    await refresh(read);
  });
}
