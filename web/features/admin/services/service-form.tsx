import type { ReactNode } from 'react';
import type { AdminService } from '#contract/catalogue.ts';
import { formatDate } from '#web/text/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, inputClass, Labelled } from '#web/ui/field.tsx';
import { BaseFields } from './base-fields.tsx';
import { CodeFields } from './code-fields.tsx';
import { CommissionFields } from './commission-fields.tsx';
import { ForeignChangeNotice } from './foreign-change-notice.tsx';
import type { FormPart } from './form-parts.ts';
import { LookFields } from './look-fields.tsx';
import type { ServiceTree } from './service-tree.ts';
import { useSaveService } from './use-save-service.ts';
import type { Editing, ServiceEditor } from './use-service-editor.ts';

const footButton = 'grow @max-3xs:px-2 @max-3xs:text-sm @sm:grow-0';

/** The form for all fields of a service. */
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
  const part = { draft, errors, change, tree, id: base?.id };
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
      <Section title="Pour l’équipe">
        <TeamFields {...part} base={base} />
      </Section>
      <div className="sticky -bottom-5 z-10 -mx-5 -mb-5 flex flex-wrap justify-end gap-2.5 rounded-b-card border-line border-t bg-card px-5 py-3">
        <Button variant="plain" className={footButton} onClick={editor.leave}>
          Annuler
        </Button>
        <Button type="submit" className={footButton} disabled={foreignChange === 'deleted'} busy={busy}>
          {busy ? 'Enregistrement...' : 'Enregistrer'}
        </Button>
      </div>
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

function TeamFields({ draft, errors, change, base }: FormPart & { base: AdminService | undefined }) {
  return (
    <>
      <Labelled label="Note interne" hint="Visible ici seulement." error={errors.operatorNote}>
        {(control) => (
          <textarea
            {...control}
            rows={2}
            maxLength={2000}
            value={draft.operatorNote}
            onChange={({ target }) => change({ operatorNote: target.value })}
            className={inputClass}
          />
        )}
      </Labelled>
      <details open={errors.sortOrder ? true : undefined}>
        <summary className="cursor-pointer py-2.5 font-medium">Avancé</summary>
        <Field
          label="Ordre"
          inputMode="numeric"
          autoComplete="off"
          hint={`Le plus petit vient en premier${base ? '' : ', rien à la fin'}. Se règle mieux en glissant les services.`}
          value={draft.sortOrder}
          error={errors.sortOrder}
          onChange={({ target }) => change({ sortOrder: target.value })}
        />
        {base && (
          <p className="mt-3 text-soft text-sm">
            Service n° {base.id}, créé le {formatDate(base.createdAt)}, modifié le {formatDate(base.updatedAt)}.
          </p>
        )}
      </details>
    </>
  );
}
