import type { ReactNode } from 'react';
import { type AdminService, createService, listAllServices, updateService } from '#contract/catalogue.ts';
import { hasCode } from '#web/api/client.ts';
import { useCall } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import { TextArea } from '#web/features/admin/shared/fields.tsx';
import { serverErrors } from '#web/forms/read-form.ts';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import { useForm } from '#web/forms/use-form.ts';
import { formatDate } from '#web/text/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { DialogButtons } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { BaseFields } from './base-fields.tsx';
import { CodeFields } from './code-fields.tsx';
import { CommissionFields } from './commission-fields.tsx';
import { draftErrors } from './draft-errors.ts';
import { LookFields } from './look-fields.tsx';
import { changesOf, type DraftField, draftFields, type ServicePart } from './service-draft.ts';
import type { Editing, ForeignChange, ServiceEditor } from './service-editor.tsx';
import { newerVersion, orderAtEnd, type ServiceTree } from './service-tree.ts';

const footButton = '@max-3xs:px-2 @max-3xs:text-sm';

export function ServiceForm({
  editor,
  editing,
  tree,
  onSaved,
}: {
  editor: ServiceEditor;
  editing: Editing;
  tree: ServiceTree;
  onSaved: (service?: AdminService) => void;
}) {
  const { form, errors, busy } = useSaveService({ tree, editing, onSaved });
  const { base, draft } = editing;
  const { foreignChange, change } = editor;
  const part = { draft, errors, change, tree, id: base?.id, ...draftFields(draft, errors, change) };
  return (
    <form {...form} className="@container mt-4 flex flex-col gap-4">
      <ForeignChangeNotice change={foreignChange} onTakeOver={editor.takeOver} />
      <BaseFields {...part} />
      {draft.isFinalLevel && (
        <Section title="Commission">
          <CommissionFields {...part} />
        </Section>
      )}
      <Section>
        <CodeFields {...part} />
      </Section>
      <Section title="Apparence">
        <LookFields {...part} />
      </Section>
      <Section title="Pour l'équipe">
        <TeamFields {...part} base={base} />
      </Section>
      <DialogButtons>
        <Button variant="plain" className={footButton} onClick={editor.leave}>
          Annuler
        </Button>
        <Button type="submit" className={footButton} disabled={foreignChange === 'deleted'} busy={busy}>
          {busy ? 'Enregistrement...' : 'Enregistrer'}
        </Button>
      </DialogButtons>
    </form>
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

function TeamFields({ errors, text, base }: ServicePart & { base: AdminService | undefined }) {
  return (
    <>
      <TextArea
        label="Note interne"
        hint="Visible ici seulement."
        rows={2}
        maxLength={2000}
        {...text('operatorNote')}
      />
      <details open={errors.sortOrder ? true : undefined}>
        <summary className="cursor-pointer py-2.5 font-medium">Avancé</summary>
        <Field
          label="Ordre"
          inputMode="numeric"
          autoComplete="off"
          hint={`Le plus petit vient en premier${base ? '' : ', rien à la fin'}. Se règle mieux en glissant les services.`}
          {...text('sortOrder')}
        />
        {base && (
          <p className="mt-3 text-soft text-sm">{`Service n° ${base.id}, créé le ${formatDate(base.createdAt)}, modifié le ${formatDate(base.updatedAt)}.`}</p>
        )}
      </details>
    </>
  );
}

/** The form of a service: of an existing one only the changed fields are sent. */
function useSaveService({
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
        fallback: base ? "Le service n'a pas pu être mis à jour." : "Le service n'a pas pu être créé.",
      });
      return serverErrors(error);
    },
    after: (error) => (hasCode(error, 'CHANGED_MEANWHILE') ? refresh(listAllServices) : undefined),
  });
}

const names: Record<DraftField, string> = {
  name: 'nom',
  description: 'description',
  price: 'prix',
  parentId: 'service parent',
  isFinalLevel: 'service final',
  isVisible: 'visibilité',
  allowUserPriceInput: 'prix personnalisé',
  commissionType: 'commission',
  commissionValue: 'commission',
  commissionRanges: 'commission',
  textSize: 'texte',
  textColor: 'texte',
  textStyle: 'texte',
  phoneNumber: 'code',
  operatorNote: 'note interne',
  sortOrder: 'ordre',
  image: 'image',
};

/**
 * A notice of another administrator's change to the edited service, with an offer to merge it. Always rendered, as a
 * live region must be.
 */
function ForeignChangeNotice({ change, onTakeOver }: { change: ForeignChange | undefined; onTakeOver: () => void }) {
  const fields = change === 'deleted' ? [] : [...new Set(change?.fields.map((field) => names[field]))];
  return (
    <div role="alert" className="sticky -top-2 z-10 rounded-xl bg-amber-pale px-3.5 py-2.5 text-amber empty:hidden">
      {change === 'deleted' && <p className="font-medium">Un autre administrateur vient de supprimer ce service.</p>}
      {change && change !== 'deleted' && (
        <>
          <p className="font-medium">Un autre administrateur vient de modifier ce service.</p>
          {fields.length > 0 && <p className="text-sm">{`Changements : ${fields.join(', ')}.`}</p>}
          <Button variant="plain" small className="mt-2" onClick={onTakeOver}>
            Reprendre ces changements
          </Button>
        </>
      )}
    </div>
  );
}
