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
import { type FieldErrors, readForm, serverErrors } from '#web/forms/read-form.ts';
import { useAction } from '#web/forms/use-action.ts';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import { failureSentence } from '#web/text/failures.ts';
import { useToast } from '#web/ui/toast.tsx';
import type { PageFields } from './kept-draft.ts';

/** Saves a page over the version its editor saw, or creates it. The server refuses a stale version. */
export function useSavePage({
  page,
  setErrors,
  onSaved,
}: {
  page: ContentPage | null;
  setErrors: (errors: FieldErrors) => void;
  onSaved: () => void;
}) {
  const call = useCall();
  const refresh = useRefresh();
  const toast = useToast();
  const toastFailure = useFailureToast();
  return useAction(async (fields: PageFields) => {
    const { data, errors } = readForm(contentPageForm, { ...fields });
    setErrors(errors ?? {});
    if (!data) return;
    try {
      if (page) {
        const expected = { expectedUpdatedAt: page.updatedAt };
        await call(updateContentPage, { params: { id: String(page.id) }, body: { ...data, ...expected } });
      } else await call(createContentPage, { body: data });
      toast({ title: page ? 'Page mise à jour' : 'Page créée', description: data.title });
      onSaved();
    } catch (error) {
      const fallback = "La page n'a pas pu être enregistrée.";
      if (hasCode(error, 'SLUG_TAKEN')) setErrors({ slug: failureSentence(error, fallback) });
      else setErrors(serverErrors(error));
      toastFailure(error, { fallback });
    }
    await refresh(listContentPages);
  });
}
