import { memo, useDeferredValue, useMemo, useState } from 'react';
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
import { draftFields, useDraft, useSaveForm } from '#web/features/admin/shared/draft.tsx';
import { EditDialog } from '#web/features/admin/shared/edit-dialog.tsx';
import { TextArea } from '#web/features/admin/shared/fields.tsx';
import { type FieldErrors, readForm, serverErrors } from '#web/forms/read-form.ts';
import { contentBlocks } from '#web/text/content-blocks.ts';
import { failureSentence } from '#web/text/failures.ts';
import { Card } from '#web/ui/card.tsx';
import { ContentText } from '#web/ui/content-text.tsx';
import { Field } from '#web/ui/field.tsx';
import { Switch } from '#web/ui/switch.tsx';
import { proposeSlug, slugLength } from './slugs.ts';

type PageFields = Pick<ContentPage, 'slug' | 'title' | 'content' | 'isActive'>;

const fieldsOf = (page: ContentPage | undefined): PageFields => {
  const { slug = '', title = '', content = '', isActive = true } = page ?? {};
  return { slug, title, content, isActive };
};
const failure = { fallback: "La page n'a pas pu être enregistrée." };

/** The form of a page beside its preview; without a page, of a new one. */
export function PageEditor({ page, onClose }: { page: ContentPage | undefined; onClose: () => void }) {
  const call = useCall();
  const copy = useDraft(page, fieldsOf);
  const { draft: fields, change } = copy;
  const { errors, ...saving } = useSaveForm({
    read: () => readForm(contentPageForm, { ...fields }),
    send: async (body, version) => {
      if (page) await call(updateContentPage, { params: { id: String(page.id) }, body: { ...body, ...version } });
      else await call(createContentPage, { body });
      onClose();
      return { title: page ? 'Page mise à jour' : 'Page créée', description: body.title };
    },
    copy,
    write: { endpoint: updateContentPage, target: page?.id },
    failure,
    errorsOf: (error) =>
      hasCode(error, 'SLUG_TAKEN') ? { slug: failureSentence(error, failure.fallback) } : serverErrors(error),
    refetch: listContentPages,
  });
  const shown = useDeferredValue(fields);

  return (
    <EditDialog
      title={page ? 'Modifier la page' : 'Nouvelle Page'}
      {...saving}
      errors={errors}
      bodyClass="lg:grid lg:grid-cols-2 lg:overflow-hidden"
      onClose={onClose}
    >
      <div className="flex flex-col gap-4 pt-1 pb-4 lg:min-h-0 lg:-ml-2 lg:overflow-y-auto lg:pr-5 lg:pl-2">
        <PageHead fields={fields} errors={errors} change={change} hasSlug={page !== undefined} />
        <div className="flex flex-col lg:min-h-72 lg:flex-1 *:lg:flex-1 [&_textarea]:lg:flex-1">
          <TextArea
            label="Contenu *"
            hint="«&nbsp;##&nbsp;» au début d'une ligne en fait un titre, «&nbsp;###&nbsp;» un sous-titre."
            aria-required
            rows={10}
            maxLength={100_000}
            {...draftFields(fields, errors, change).text('content')}
            className="resize-y leading-relaxed lg:resize-none"
          />
        </div>
      </div>
      <div className="mt-2 pb-4 lg:mt-0 lg:flex lg:min-h-0 lg:border-line lg:border-l lg:pl-5">
        <Preview title={shown.title} content={shown.content} />
      </div>
    </EditDialog>
  );
}

function PageHead({
  fields,
  errors,
  change,
  hasSlug,
}: {
  fields: PageFields;
  errors: FieldErrors;
  change: (part: Partial<PageFields>) => void;
  /** A stored address stays when the title changes. */
  hasSlug: boolean;
}) {
  const [isOwnSlug, setOwnSlug] = useState(hasSlug);
  return (
    <div className="flex flex-col gap-x-5 gap-y-4 short:flex-row short:*:flex-1">
      <Field
        label="Titre *"
        aria-required
        value={fields.title}
        maxLength={160}
        error={errors.title}
        onChange={({ target: { value: title } }) => change({ title, ...(!isOwnSlug && { slug: proposeSlug(title) }) })}
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
            hint={contentAddress(fields.slug)}
            onChange={({ target: { value: slug } }) => {
              setOwnSlug(slug !== '');
              change({ slug });
            }}
          />
        </div>
        <div className="flex flex-col items-center gap-1.5">
          <span className="font-semibold text-body" aria-hidden="true">
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
  );
}

const Preview = memo(function Preview({ title, content }: Pick<PageFields, 'title' | 'content'>) {
  const blocks = useMemo(() => contentBlocks(content), [content]);
  return (
    <section
      aria-label="Aperçu"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also for who has a keyboard alone
      tabIndex={0}
      className="rounded-card bg-ground p-4 lg:min-h-48 lg:flex-1 lg:overflow-y-auto"
    >
      <p className="mb-3 text-soft text-small">Aperçu</p>
      <p className="wrap-anywhere mb-5 font-bold text-title leading-tight">{title || 'Sans titre'}</p>
      <Card className="leading-relaxed">
        {blocks.length > 0 ? <ContentText blocks={blocks} /> : <p className="text-soft">Le texte apparaîtra ici.</p>}
      </Card>
    </section>
  );
});
