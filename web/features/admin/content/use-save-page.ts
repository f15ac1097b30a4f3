import {
  type ContentPage,
  contentPageForm,
  createContentPage,
  listContentPages,
  updateContentPage,
} from '#contract/content-pages.ts';
import { hasCode } from '#web/api/client.ts';
import { useCall } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import { readForm, serverErrors } from '#web/forms/read-form.ts';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import { useForm } from '#web/forms/use-form.ts';
import { failureSentence } from '#web/text/failures.ts';
import { useToast } from '#web/ui/toast.tsx';
import type { PageFields } from './kept-draft.ts';

/** Saves a page over the version its editor saw, or creates it. The server refuses a stale version. */
export function useSavePage({
  page,
  fields,
  onSaved,
}: {
  page: ContentPage | null;
  fields: PageFields;
  onSaved: () => void;
}) {
  const call = useCall();
  const refresh = useRefresh();
  const toast = useToast();
  const toastFailure = useFailureToast();
  return useForm({
    read: () => readForm(contentPageForm, { ...fields }),
    send: async (data) => {
      if (page) {
        const expected = { expectedUpdatedAt: page.updatedAt };
        await call(updateContentPage, { params: { id: String(page.id) }, body: { ...data, ...expected } });
      } else await call(createContentPage, { body: data });
      toast({ title: page ? 'Page mise à jour' : 'Page créée', description: data.title });
      onSaved();
    },
    failure: (error) => {
      const fallback = "La page n'a pas pu être enregistrée.";
      toastFailure(error, { fallback });
      return hasCode(error, 'SLUG_TAKEN') ? { slug: failureSentence(error, fallback) } : serverErrors(error);
    },
    after: () => refresh(listContentPages),
  });
}
