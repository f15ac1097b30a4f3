import { useEffect, useRef, useState } from 'react';
import { type ContentPage, listContentPages } from '#contract/content-pages.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { ConfirmDialog } from '#web/features/admin/shared/confirm-dialog.tsx';
import { useTabSearch } from '#web/features/admin/shared/tab-search.ts';
import { TabTitle } from '#web/features/admin/shared/tab-title.tsx';
import { useAuth } from '#web/session/auth.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageIcon } from '#web/ui/icons.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { draftKey, forgetDraft, forgetDraftsOfOthers } from './page-draft.ts';
import { PageEditor } from './page-editor.tsx';
import { DeleteDialog, PageTable } from './page-table.tsx';

export default function ContentTab() {
  const query = useEndpoint(listContentPages, {}, { pollEveryMs: pollEveryMs.adminContent });
  const { opened, open, leaving, askToLeave, leave, stay, noteUnsaved } = useOpenedPage(query.data);
  const [deleting, setDeleting] = useState<ContentPage>();
  const create = <Button onClick={() => open(newPage)}>Nouvelle Page</Button>;
  return (
    <>
      <TabTitle aside={create}>Contenu</TabTitle>
      <QueryState
        query={query}
        loading="Chargement des pages..."
        failure="Impossible de charger les pages."
        empty={
          <EmptyState Icon={PageIcon} title="Aucune page">
            {create}
          </EmptyState>
        }
      >
        {(pages) => <PageTable pages={pages} onEdit={({ id }) => open(String(id))} onDelete={setDeleting} />}
      </QueryState>
      {opened && (
        <PageEditor
          key={opened.name}
          name={opened.name}
          known={opened.page}
          stored={query.data?.find(({ id }) => id === opened.page?.id)}
          onUnsaved={noteUnsaved}
          onClose={askToLeave}
          onSaved={leave}
        />
      )}
      {leaving && (
        <ConfirmDialog
          title="Abandonner les modifications ?"
          confirm="Abandonner"
          onConfirm={async () => leave()}
          onClose={stay}
        >
          <p>Ce que vous avez écrit depuis le dernier enregistrement sera perdu.</p>
        </ConfirmDialog>
      )}
      {deleting && <DeleteDialog page={deleting} onClose={() => setDeleting(undefined)} />}
    </>
  );
}

/** Takes the place of an id in the address. */
const newPage = 'nouvelle';

interface Opened {
  /** The page's id, or the word for a new one. */
  name: string;
  page?: ContentPage | undefined;
}

/**
 * The page that is open in the editor, by the address. A change of the address asks before it discards unsaved changes.
 */
function useOpenedPage(pages: readonly ContentPage[] | undefined) {
  const { values, set } = useTabSearch();
  const { user } = useAuth();
  const [opened, setOpened] = useState<Opened>();
  const [leaving, setLeaving] = useState(false);
  // Read when the address changes, which may precede the next render.
  const unsaved = useRef(false);
  const asked = values.get('page') ?? undefined;
  useEffect(() => {
    if (asked === opened?.name) return;
    if (opened && unsaved.current) {
      set({ page: opened.name }, { step: true });
      setLeaving(true);
      return;
    }
    const page = pages?.find(({ id }) => String(id) === asked);
    setOpened(asked === newPage || page ? { name: asked as string, page } : undefined);
  }, [asked, opened, pages, set]);

  const userId = user?.id;
  useEffect(() => {
    if (userId !== undefined) forgetDraftsOfOthers(userId);
  }, [userId]);

  const leave = () => {
    unsaved.current = false;
    setLeaving(false);
    if (opened && user) forgetDraft(draftKey(user.id, opened.name));
    set({ page: undefined });
  };
  return {
    opened,
    open: (name: string) => set({ page: name }, { step: true }),
    /** Whether the question about unsaved changes is open. */
    leaving,
    askToLeave: () => (unsaved.current ? setLeaving(true) : set({ page: undefined })),
    /** Closes the page and removes its draft. */
    leave,
    stay: () => setLeaving(false),
    noteUnsaved: (is: boolean) => {
      unsaved.current = is;
    },
  };
}
