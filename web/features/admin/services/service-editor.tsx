import type { ComponentProps, ReactNode } from 'react';
import { type AdminService, listAllServices } from '#contract/catalogue.ts';
import { createService, updateService } from '#contract/catalogue-edits.ts';
import { useCall } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-refresh.ts';
import { draftFields, useDraft, useSaveForm } from '#web/features/admin/shared/draft.tsx';
import { EditDialog } from '#web/features/admin/shared/edit-dialog.tsx';
import { CommissionFields } from './commission-fields.tsx';
import { overlapErrors } from './commission-ranges.ts';
import { changesOf, draftErrors, draftOf, newDraft, type ServiceDraft } from './service-draft.ts';
import {
  CodeFields,
  IdentityFields,
  LookFields,
  PriceFields,
  type ServicePart,
  TeamFields,
} from './service-fields.tsx';
import { orderAtEnd, type ServiceTree } from './service-tree.ts';

/** The form of a service; without one, of a new one. Of an existing one only the changed fields are sent. */
export function ServiceEditor({
  service,
  tree,
  leaving,
  onSaved,
  onClose,
}: {
  service: AdminService | undefined;
  tree: ServiceTree;
  onSaved: (service: AdminService) => void;
  onClose: () => void;
} & Pick<ComponentProps<typeof EditDialog>, 'leaving'>) {
  const call = useCall();
  const refresh = useRefresh();
  const storedDraft = (stored: AdminService | undefined) => (stored ? draftOf(stored) : newDraft);
  const copy = useDraft(service, storedDraft);
  const { draft } = copy;
  const { errors, setErrors, ...saving } = useSaveForm({
    read: () => {
      const errors = { ...draftErrors(draft), ...overlapErrors(draft) };
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
  const change = (part: Partial<ServiceDraft>) => {
    // What an overlap or a code was refused for is judged anew as it is typed.
    setErrors({});
    copy.change(part);
  };
  const part: ServicePart = { draft, errors, change, tree, service, ...draftFields(draft, errors, change) };
  return (
    <EditDialog
      beside
      leaving={leaving}
      title={service ? 'Modifier le service' : 'Nouveau service'}
      {...saving}
      errors={errors}
      bodyClass="@container flex flex-col gap-4 pt-1 pb-5"
      onClose={onClose}
    >
      <IdentityFields {...part} />
      <Section title="Prix et commission">
        <PriceFields {...part} />
        {draft.isFinalLevel && <CommissionFields {...part} />}
      </Section>
      <Section title="Code à composer">
        <CodeFields {...part} />
      </Section>
      <Section title="Présentation">
        <LookFields {...part} />
      </Section>
      <Section>
        <TeamFields {...part} />
      </Section>
    </EditDialog>
  );
}

function Section({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-4 border-line border-t pt-4">
      {title && <h3 className="-mb-1 font-bold">{title}</h3>}
      {children}
    </div>
  );
}
