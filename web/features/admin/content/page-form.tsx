import { memo, useDeferredValue, useEffect, useMemo, useState } from 'react';
import {
  type ContentPage,
  contentPageForm,
  createContentPage,
  listContentPages,
  updateContentPage,
} from '#contract/content-pages.ts';
import { contentAddress } from '#web/addresses.ts';
import { hasCode } from '#web/api/client.ts';
import { useCall } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import { TextArea } from '#web/features/admin/shared/fields.tsx';
import { readForm, serverErrors } from '#web/forms/read-form.ts';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import { useForm } from '#web/forms/use-form.ts';
import { contentBlocks } from '#web/text/content-blocks.ts';
import { failureSentence } from '#web/text/failures.ts';
import { formatDate } from '#web/text/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { ContentText } from '#web/ui/content-text.tsx';
import { DialogButtons } from '#web/ui/dialog.tsx';
import { Fact, Facts } from '#web/ui/facts.tsx';
import { Field } from '#web/ui/field.tsx';
import { Switch } from '#web/ui/switch.tsx';
import { useToast } from '#web/ui/toast.tsx';
import {
  fieldsOf,
  forgetDraft,
  type KeptDraft,
  keepDraft,
  type PageFields,
  proposeSlug,
  sameFields,
  slugLength,
} from './page-draft.ts';
import { footerLinkTo } from './page-table.tsx';

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
        <div className="flex flex-col gap-4 pt-1 pb-4 lg:min-h-0 lg:-ml-2 lg:overflow-y-auto lg:pr-5 lg:pl-2">
          <div className="flex flex-col gap-x-5 gap-y-4 short:flex-row short:*:flex-1">
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
                    base && base.slug !== fields.slug && footerLinkTo(base.slug) ? (
                      `Un lien au pied des écrans mène à ${contentAddress(base.slug)} : il ne trouvera plus cette page.`
                    ) : (
                      // A phone on its side has no room for what the field says.
                      <span className="short:hidden">{contentAddress(fields.slug)}</span>
                    )
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
          </div>
          <div className="flex flex-col lg:min-h-72 lg:flex-1 *:lg:flex-1 [&_textarea]:lg:flex-1">
            <TextArea
              label="Contenu *"
              error={errors.content}
              hint="« ## » au début d'une ligne en fait un titre, « ### » un sous-titre."
              aria-required
              rows={10}
              value={fields.content}
              maxLength={100_000}
              onChange={({ target }) => change({ content: target.value })}
              className="resize-y leading-relaxed lg:resize-none"
            />
          </div>
        </div>
        <div className="mt-2 flex flex-col gap-5 pb-4 lg:mt-0 lg:min-h-0 lg:overflow-y-auto lg:border-line lg:border-l lg:pl-5">
          {changed && base && <StoredVersion stored={changed} base={base} own={shown} />}
          <PagePreview fields={shown} />
        </div>
      </div>
      <DialogButtons className="items-center">
        <p role="alert" className="wrap-anywhere grow basis-60 text-amber text-sm leading-snug empty:hidden">
          {gone
            ? 'Un autre administrateur vient de supprimer cette page. Votre texte est toujours ici.'
            : changed &&
              "Un autre administrateur vient de modifier cet élément. Sa version est affichée avec l'aperçu ; votre texte est intact."}
        </p>
        <Button variant="plain" onClick={onCancel}>
          Annuler
        </Button>
        <Button type="submit" busy={busy}>
          {gone ? 'Recréer la page' : changed ? 'Enregistrer quand même' : 'Enregistrer'}
        </Button>
      </DialogButtons>
    </form>
  );
}

/** Saves a page over the version its editor saw, or creates it. The server refuses a stale version. */
function useSavePage({ page, fields, onSaved }: { page: ContentPage | null; fields: PageFields; onSaved: () => void }) {
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

const PagePreview = memo(function PagePreview({ fields: { title, content } }: { fields: PageFields }) {
  const blocks = useMemo(() => contentBlocks(content), [content]);
  return (
    <section
      aria-label="Aperçu"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also for who has a keyboard alone
      tabIndex={0}
      className="rounded-card bg-ground p-4 lg:min-h-48 lg:flex-1 lg:overflow-y-auto"
    >
      <p className="mb-3 text-soft text-sm">Aperçu</p>
      <p className="wrap-anywhere mb-5 font-bold text-2xl leading-tight">{title || 'Sans titre'}</p>
      <Card className="leading-relaxed">
        {blocks.length > 0 ? <ContentText blocks={blocks} /> : <p className="text-soft">Le texte apparaîtra ici.</p>}
      </Card>
    </section>
  );
});

/** Another administrator's concurrent change, with the lines marked that one's own text lacks. */
function StoredVersion({ stored, base, own }: { stored: ContentPage; base: ContentPage; own: PageFields }) {
  const ownLines = new Set(own.content.split(/\r?\n/));
  return (
    <section
      aria-label="Version de l'autre administrateur"
      className="flex flex-col gap-3 rounded-card border border-amber/40 bg-amber-pale p-4"
    >
      <p className="font-semibold text-amber">{`Version de l'autre administrateur, ${formatDate(stored.updatedAt)}`}</p>
      <Facts>
        {stored.title !== base.title && <Fact name="Titre">{stored.title}</Fact>}
        {stored.slug !== base.slug && <Fact name="Adresse">{`/${stored.slug}`}</Fact>}
        {stored.isActive !== base.isActive && <Fact name="Active">{stored.isActive ? 'Oui' : 'Non'}</Fact>}
      </Facts>
      {stored.content !== base.content && (
        <>
          <p className="text-sm">Son texte ; les lignes que le vôtre n'a pas sont surlignées.</p>
          <pre
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also for who has a keyboard alone
            tabIndex={0}
            className="max-h-64 overflow-y-auto whitespace-pre-wrap rounded-xl border border-line bg-card p-3 font-sans text-sm leading-relaxed"
          >
            {stored.content.split(/\r?\n/).map((line, index) => (
              // A line has nothing else to be known by.
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <span key={index} className="block min-h-[1.625em]">
                {line && !ownLines.has(line) ? <mark className="bg-amber-pale font-medium">{line}</mark> : line}
              </span>
            ))}
          </pre>
        </>
      )}
    </section>
  );
}
