import { useState } from 'react';
import { type ContentPage, listContentPages } from '#contract/content-pages.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { ConfirmDialog } from '#web/features/admin/shared/confirm-dialog.tsx';
import { TabTitle } from '#web/features/admin/shared/tab-title.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageIcon } from '#web/ui/icons.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { PageEditor } from './page-editor.tsx';
import { PageTable } from './page-table.tsx';
import { newPage, useOpenedPage } from './use-opened-page.ts';

/** The content pages: the terms, the privacy policy and other texts. */
export default function ContentTab() {
  const query = useEndpoint(listContentPages, {}, { pollEveryMs: pollEveryMs.adminContent });
  const { opened, open, leaving, askToLeave, leave, stay, noteUnsaved } = useOpenedPage(query.data);
  const [deleting, setDeleting] = useState<ContentPage>();
  const create = <Button onClick={() => open(newPage)}>Nouvelle Page</Button>;
  return (
    <>
      <TabTitle aside={create}>Contenu</TabTitle>
      <QueryState query={query} loading="Chargement des pages..." failure="Impossible de charger les pages.">
        {(pages) =>
          pages.length === 0 ? (
            <EmptyState Icon={PageIcon} title="Aucune page">
              {create}
            </EmptyState>
          ) : (
            <PageTable pages={pages} onEdit={({ id }) => open(String(id))} onDelete={setDeleting} />
          )
        }
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
