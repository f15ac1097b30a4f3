import { useState } from 'react';
import type { ContentPage } from '#contract/content-pages.ts';
import { useUnloadGuard } from '#web/features/admin/shared/draft.tsx';
import { useAuth } from '#web/session/auth.tsx';
import { formatDate } from '#web/text/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { draftKey, fieldsOf, forgetDraft, type KeptDraft, readDraft, sameFields } from './page-draft.ts';
import { PageForm } from './page-form.tsx';

interface Props {
  /** The page's id, or the word for a new one. */
  name: string;
  /** The page when the editor opened; undefined for a new one. */
  known: ContentPage | undefined;
  /** The page as stored now; others may have changed or deleted it. */
  stored: ContentPage | undefined;
  onUnsaved: (is: boolean) => void;
  /** Requests closing; the parent first asks about unsaved changes. */
  onClose: () => void;
  onSaved: () => void;
}

/** Edits a page beside its preview. An unsaved draft is offered first. */
export function PageEditor({ name, known, stored, onUnsaved, onClose, onSaved }: Props) {
  const { user } = useAuth();
  const key = draftKey(user?.id ?? 0, name);
  const [offered, setOffered] = useState(() => unsavedDraft(key, known));
  const [start, setStart] = useState<Pick<KeptDraft, 'fields' | 'base'>>({
    fields: fieldsOf(known),
    base: known ?? null,
  });
  const [unsaved, setUnsaved] = useState(false);
  useUnloadGuard(unsaved);
  const title = known ? 'Modifier la page' : 'Nouvelle Page';
  if (offered) {
    const resume = () => {
      setStart(offered);
      setOffered(undefined);
    };
    const discard = () => {
      forgetDraft(key);
      setOffered(undefined);
    };
    return (
      <Dialog title={title} onClose={onClose}>
        <div className="mt-3 flex flex-col gap-4">
          <p>Un texte non enregistré a été retrouvé :</p>
          <blockquote className="rounded-xl border border-line bg-ground px-4 py-3">
            <p className="wrap-anywhere font-bold">{offered.fields.title || 'Sans titre'}</p>
            <p className="line-clamp-4 whitespace-pre-line text-soft text-sm">{offered.fields.content}</p>
          </blockquote>
          <div className="flex flex-col gap-2.5">
            <Button onClick={resume}>{`Reprendre le brouillon du ${formatDate(offered.keptAt)}`}</Button>
            <Button variant="danger" onClick={discard}>
              {known ? 'Supprimer le brouillon, garder la page' : 'Supprimer le brouillon'}
            </Button>
          </div>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog key="form" whole title={title} onClose={onClose}>
      <PageForm
        start={start}
        draftKey={key}
        stored={stored}
        onUnsaved={(is) => {
          setUnsaved(is);
          onUnsaved(is);
        }}
        onCancel={onClose}
        onSaved={onSaved}
      />
    </Dialog>
  );
}

/** The stored draft, unless it equals the stored page. */
function unsavedDraft(key: string, known: ContentPage | undefined): KeptDraft | undefined {
  const draft = readDraft(key);
  return draft && !sameFields(draft.fields, fieldsOf(known)) ? draft : undefined;
}
