import { type AdminService, createService, listAllServices, updateService } from '#contract/catalogue.ts';
import { hasCode } from '#web/api/client.ts';
import { useCall } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import { serverErrors } from '#web/forms/read-form.ts';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useToast } from '#web/ui/toast.tsx';
import { draftErrors } from './draft-errors.ts';
import { changesOf } from './service-draft.ts';
import { newerVersion, orderAtEnd, type ServiceTree } from './service-tree.ts';
import type { Editing } from './use-service-editor.ts';

/** The form of a service: of an existing one only the changed fields are sent. */
export function useSaveService({
  tree,
  editing: { base, before, draft },
  onSaved,
}: {
  tree: ServiceTree;
  editing: Editing;
  /** With the saved service; without one after a change of nothing. */
  onSaved: (service?: AdminService) => void;
}) {
  const call = useCall();
  const refresh = useRefresh();
  const toast = useToast();
  const toastFailure = useFailureToast();

  return useForm({
    read: () => {
      const errors = draftErrors(draft, !base);
      return Object.keys(errors).length > 0 ? { errors } : { data: changesOf(before, draft) };
    },
    send: async ({ body, file }) => {
      if (base && !file && Object.keys(body).length === 0) return onSaved();
      const upload = file && { file };
      // A change shown beside the form counts as seen.
      const shown = tree.byId.get(base?.id ?? 0)?.updatedAt;
      const atEnd = { sortOrder: orderAtEnd(tree, draft.parentId) };
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
    },
    failure: (error) => {
      toastFailure(error, {
        fallback: base ? 'Le service n’a pas pu être mis à jour.' : 'Le service n’a pas pu être créé.',
      });
      if (hasCode(error, 'CHANGED_MEANWHILE')) void refresh(listAllServices);
      return serverErrors(error);
    },
  });
}
