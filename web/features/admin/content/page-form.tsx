import { useDeferredValue, useEffect, useState } from 'react';
import type { ContentPage } from '#contract/content-pages.ts';
import { contentAddress } from '#web/addresses.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, inputClass, Labelled } from '#web/ui/field.tsx';
import { join } from '#web/ui/join.ts';
import { Switch } from '#web/ui/switch.tsx';
import { footerLinkTo } from './footer-pages.ts';
import { forgetDraft, type KeptDraft, keepDraft, type PageFields } from './kept-draft.ts';
import { fieldsOf, sameFields } from './page-fields.ts';
import { PagePreview } from './page-preview.tsx';
import { proposeSlug, slugLength } from './propose-slug.ts';
import { StoredVersion } from './stored-version.tsx';
import { useSavePage } from './use-save-page.ts';

interface Props {
  /** The initial fields and the page they are based on; null for a new one. */
  start: Pick<KeptDraft, 'fields' | 'base'>;
  draftKey: string;
  stored: ContentPage | undefined;
  onUnsaved: (is: boolean) => void;
  onCancel: () => void;
  onSaved: () => void;
}

/** The fields of a page and their preview. Each change is stored as a draft until it is saved or discarded. */
export function PageForm({ start, draftKey, stored, onUnsaved, onCancel, onSaved }: Props) {
  const { base } = start;
  const [fields, setFields] = useState(start.fields);
  const [ownSlug, setOwnSlug] = useState(fields.slug !== '' && fields.slug !== proposeSlug(fields.title));
  const unsaved = !sameFields(fields, fieldsOf(base));
  const gone = base !== null && !stored;
  const changed = base && stored && stored.updatedAt !== base.updatedAt ? stored : undefined;
  const { form, errors, busy } = useSavePage({ page: gone ? null : (changed ?? base), fields, onSaved });
  const shown = useDeferredValue(fields);

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is written is what changes
  useEffect(() => {
    if (unsaved) keepDraft(draftKey, { fields, base, keptAt: new Date().toISOString() });
    else forgetDraft(draftKey);
    onUnsaved(unsaved);
  }, [fields, unsaved]);
  // A dialog focuses its first element on opening, which may have been the draft choice.
  useEffect(() => form.ref.current?.querySelector('input')?.focus(), [form.ref]);

  const change = (changes: Partial<PageFields>) => setFields((before) => ({ ...before, ...changes }));

  return (
    <form {...form} className="mt-3 flex min-h-0 flex-1 flex-col">
      <div className="-mx-5 min-h-0 flex-1 overflow-y-auto px-5 lg:grid lg:grid-cols-2 lg:overflow-hidden">
        <div className="flex flex-col gap-4 pt-1 pb-4 lg:min-h-0 lg:-ml-1 lg:overflow-y-auto lg:pr-5 lg:pl-1">
          <Field
            label="Titre *"
            aria-required
            value={fields.title}
            maxLength={160}
            error={errors.title}
            onChange={({ target: { value: title } }) =>
              change({ title, ...(!base && !ownSlug && { slug: proposeSlug(title) }) })
            }
          />
          <div className="flex flex-wrap gap-x-5 gap-y-4">
            <div className="grow basis-48">
              <Field
                label="Adresse (slug) *"
                aria-required
                autoCapitalize="none"
                spellCheck={false}
                value={fields.slug}
                maxLength={slugLength}
                error={errors.slug}
                hint={
                  base && base.slug !== fields.slug && footerLinkTo(base.slug)
                    ? `Un lien au pied des écrans mène à ${contentAddress(base.slug)} : il ne trouvera plus cette page.`
                    : contentAddress(fields.slug)
                }
                onChange={({ target: { value: slug } }) => {
                  setOwnSlug(slug !== '');
                  change({ slug });
                }}
              />
            </div>
            <div className="flex flex-col items-center gap-1.5">
              <span className="font-semibold text-sm" aria-hidden="true">
                Active
              </span>
              <Switch
                label="Active"
                checked={fields.isActive}
                onChange={({ target }) => change({ isActive: target.checked })}
              />
            </div>
          </div>
          <ContentField value={fields.content} error={errors.content} onChange={(content) => change({ content })} />
        </div>
        <div className="mt-2 flex flex-col gap-5 pb-4 lg:mt-0 lg:min-h-0 lg:overflow-y-auto lg:border-line lg:border-l lg:pl-5">
          {changed && base && <StoredVersion stored={changed} base={base} own={shown} />}
          <PagePreview fields={shown} />
        </div>
      </div>
      <div className="-mx-5 flex flex-wrap items-center gap-2.5 border-line border-t px-5 pt-4">
        <p role="alert" className="wrap-anywhere grow basis-60 text-amber text-sm leading-snug empty:basis-0">
          {gone && 'Un autre administrateur vient de supprimer cette page. Votre texte est toujours ici.'}
          {changed &&
            'Un autre administrateur vient de modifier cet élément. Sa version est affichée avec l’aperçu ; votre texte est intact.'}
        </p>
        <Button variant="plain" className="flex-1 sm:flex-none" onClick={onCancel}>
          Annuler
        </Button>
        <Button type="submit" className="flex-1 sm:flex-none" busy={busy}>
          {gone ? 'Recréer la page' : changed ? 'Enregistrer quand même' : 'Enregistrer'}
        </Button>
      </div>
    </form>
  );
}

function ContentField({
  value,
  error,
  onChange,
}: {
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}) {
  return (
    <div className="flex flex-col lg:min-h-72 lg:flex-1 *:lg:flex-1 [&_textarea]:lg:flex-1">
      <Labelled
        label="Contenu *"
        error={error}
        hint="« ## » au début d’une ligne en fait un titre, « ### » un sous-titre."
      >
        {(control) => (
          <textarea
            {...control}
            aria-required
            rows={10}
            value={value}
            maxLength={100_000}
            onChange={(event) => onChange(event.target.value)}
            className={join(inputClass, 'resize-y leading-relaxed lg:resize-none')}
          />
        )}
      </Labelled>
    </div>
  );
}
