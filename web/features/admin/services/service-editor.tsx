import type { ReactNode } from 'react';
import { type AdminService, createService, listAllServices, updateService } from '#contract/catalogue.ts';
import { useCall } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-refresh.ts';
import { draftFields, useDraft, useSaveForm } from '#web/features/admin/shared/draft.tsx';
import { EditDialog } from '#web/features/admin/shared/edit-dialog.tsx';
import { CommissionFields } from './commission-fields.tsx';
import { changesOf, draftErrors, draftOf, newDraft } from './service-draft.ts';
import { BaseFields, CodeFields, LookFields, type ServicePart, TeamFields } from './service-fields.tsx';
import { orderAtEnd, type ServiceTree } from './service-tree.ts';

/** The form of a service; without one, of a new one. Of an existing one only the changed fields are sent. */
export function ServiceEditor({
  service,
  tree,
  onSaved,
  onClose,
}: {
  service: AdminService | undefined;
  tree: ServiceTree;
  onSaved: (service: AdminService) => void;
  onClose: () => void;
}) {
  const call = useCall();
  const refresh = useRefresh();
  const storedDraft = (stored: AdminService | undefined) => (stored ? draftOf(stored) : newDraft);
  const copy = useDraft(service, storedDraft);
  const { draft, change } = copy;
  const { errors, ...saving } = useSaveForm({
    read: () => {
      const errors = draftErrors(draft);
      return Object.keys(errors).length > 0 ? { errors } : { data: changesOf(storedDraft(copy.base), draft) };
    },
    send: async ({ body, file }, version) => {
      if (service && !file && Object.keys(body).length === 0) {
        onClose();
        return undefined;
      }
      const upload = file && { file };
      const atEnd = { sortOrder: orderAtEnd(tree, draft.parentId) };
      const saved = service
        ? await call(updateService, { params: { id: String(service.id) }, body: { ...body, ...version }, ...upload })
        : await call(createService, { body: { ...atEnd, ...body, name: draft.name.trim() }, ...upload });
      await refresh(listAllServices);
      onSaved(saved);
      return { title: service ? 'Service mis à jour' : 'Service créé', description: saved.name };
    },
    copy,
    write: { endpoint: updateService, target: service?.id },
    failure: {
      fallback: service ? "Le service n'a pas pu être mis à jour." : "Le service n'a pas pu être créé.",
      always: true,
    },
    refetch: listAllServices,
  });
  const part: ServicePart = { draft, errors, change, tree, service, ...draftFields(draft, errors, change) };
  return (
    <EditDialog
      title={service ? 'Modifier le service' : 'Nouveau service'}
      {...saving}
      bodyClass="grid content-start items-start gap-x-8 gap-y-4 pt-1 pb-5 lg:grid-cols-2"
      onClose={onClose}
    >
      <div className="@container flex min-w-0 flex-col gap-4">
        <BaseFields {...part} />
        {draft.isFinalLevel && (
          <Section title="Commission">
            <CommissionFields {...part} />
          </Section>
        )}
        <Section>
          <CodeFields {...part} />
        </Section>
      </div>
      <div className="@container flex min-w-0 flex-col gap-4 max-lg:border-line max-lg:border-t max-lg:pt-4">
        <LookFields {...part} />
        <Section>
          <TeamFields {...part} />
        </Section>
      </div>
    </EditDialog>
  );
}

function Section({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-4 border-line border-t pt-4">
      {title && <h3 className="font-bold">{title}</h3>}
      {children}
    </div>
  );
}
