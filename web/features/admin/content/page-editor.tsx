import { useState } from 'react';
import type { ContentPage } from '#contract/content-pages.ts';
import { useUnloadGuard } from '#web/features/admin/shared/use-unload-guard.ts';
import { useAuth } from '#web/session/auth.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { DraftChoice } from './draft-choice.tsx';
import { draftKey, forgetDraft, type KeptDraft, readDraft } from './kept-draft.ts';
import { fieldsOf, sameFields } from './page-fields.ts';
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
  if (offered)
    return (
      <Dialog title={title} onClose={onClose}>
        <DraftChoice
          draft={offered}
          isNew={!known}
          onResume={() => {
            setStart(offered);
            setOffered(undefined);
          }}
          onDiscard={() => {
            forgetDraft(key);
            setOffered(undefined);
          }}
        />
      </Dialog>
    );
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
