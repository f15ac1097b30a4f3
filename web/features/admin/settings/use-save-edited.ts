import type { Endpoint } from '#contract/endpoint.ts';
import { hasCode } from '#web/api/client.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import type { DraftCopy, Versioned } from '#web/features/admin/shared/use-draft.ts';
import { type Reading, serverErrors } from '#web/forms/read-form.ts';
import { useFailureToast, type Wording } from '#web/forms/use-failure-toast.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useToast } from '#web/ui/toast.tsx';

interface Saving<Stored, Draft, Body> {
  /** Refetched afterwards, whatever the outcome. */
  read: Endpoint;
  /** The request body of a draft, or the errors of its fields. */
  toSend: (draft: Draft) => Reading<Body>;
  /** Resolves with the stored version. */
  store: (body: Body & { expectedUpdatedAt: string | null }) => Promise<Stored>;
  /** Toast titles of a save, and of a refused stale version. */
  titles: { saved: string; refused: string };
  failure: Wording;
}

/** The form that saves a draft over the version its editor saw: the server refuses a stale one. */
export function useSaveEdited<Stored extends Versioned, Draft, Body extends object>(
  copy: DraftCopy<Stored, Draft>,
  { read, toSend, store, titles, failure }: Saving<Stored, Draft, Body>,
) {
  const refresh = useRefresh();
  const toast = useToast();
  const toastFailure = useFailureToast();
  const { draft, expectedUpdatedAt } = copy;
  return useForm({
    read: () => toSend(draft),
    send: async (body) => {
      copy.recordSaved(draft, await store({ ...body, expectedUpdatedAt }));
      toast({ title: titles.saved });
    },
    failure: (error) => {
      const isStale = hasCode(error, 'CHANGED_MEANWHILE');
      toastFailure(error, { ...failure, ...(isStale && { title: titles.refused }) });
      return serverErrors(error);
    },
    after: () => refresh(read),
  });
}
