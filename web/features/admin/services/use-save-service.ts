import { type AdminService, createService, listAllServices, updateService } from '#contract/catalogue.ts';
import { hasCode } from '#web/api/client.ts';
import { useCall } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import { type FieldErrors, serverErrors } from '#web/forms/read-form.ts';
import { useAction } from '#web/forms/use-action.ts';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import { useToast } from '#web/ui/toast.tsx';
import { draftErrors } from './draft-errors.ts';
import { changesOf } from './service-draft.ts';
import { newerVersion, orderAtEnd, type ServiceTree } from './service-tree.ts';
import type { Editing } from './use-service-editor.ts';

/** Saves the form: of an existing service only the changed fields are sent. */
export function useSaveService({
  tree,
  onErrors,
  onSaved,
}: {
  tree: ServiceTree;
  onErrors: (errors: FieldErrors) => void;
  /** With the saved service; without one after a change of nothing. */
  onSaved: (service?: AdminService) => void;
}) {
  const call = useCall();
  const refresh = useRefresh();
  const toast = useToast();
  const toastFailure = useFailureToast();

  return useAction(async ({ base, before, draft }: Editing) => {
    const errors = draftErrors(draft, !base);
    onErrors(errors);
    if (Object.keys(errors).length > 0) return;
    const { body, file } = changesOf(before, draft);
    if (base && !file && Object.keys(body).length === 0) return onSaved();
    const upload = file && { file };
    // A change shown beside the form counts as seen.
    const shown = tree.byId.get(base?.id ?? 0)?.updatedAt;
    const atEnd = { sortOrder: orderAtEnd(tree, draft.parentId) };
    try {
      const saved = base
        ? await call(updateService, {
            params: { id: String(base.id) },
            body: { ...body, expectedUpdatedAt: newerVersion(base.updatedAt, shown) },
            ...upload,
          })
        : await call(createService, { body: { ...atEnd, ...body, name: draft.name.trim() }, ...upload });
      await refresh(listAllServices);
      toast({ title: base ? 'Service mis à jour' : 'Service créé', description: saved.name });
      onSaved(saved);
    } catch (error) {
      onErrors(serverErrors(error));
      toastFailure(error, {
        fallback: base ? 'Le service n’a pas pu être mis à jour.' : 'Le service n’a pas pu être créé.',
      });
      if (hasCode(error, 'CHANGED_MEANWHILE')) await refresh(listAllServices);
    }
  });
}
