import { useState } from 'react';
import { type ContentPage, deleteContentPage, listContentPages, updateContentPage } from '#contract/content-pages.ts';
import { contentAddress } from '#web/addresses.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useCall } from '#web/api/use-call.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { ConfirmDialog } from '#web/features/admin/shared/confirm-dialog.tsx';
import { Listing, type Part } from '#web/features/admin/shared/listing.tsx';
import { Moment } from '#web/features/admin/shared/moment.tsx';
import { BinIcon, EditIcon } from '#web/features/admin/shared/row-icons.tsx';
import { RowText } from '#web/features/admin/shared/row-text.tsx';
import { TabTitle } from '#web/features/admin/shared/tab-title.tsx';
import { useAction } from '#web/forms/use-action.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageIcon } from '#web/ui/icons.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { Switch } from '#web/ui/switch.tsx';
import { PageEditor } from './page-editor.tsx';

export default function ContentTab() {
  const query = useEndpoint(listContentPages, {}, { pollEveryMs: pollEveryMs.adminContent });
  const [edited, setEdited] = useState<ContentPage | 'new'>();
  const [deleted, setDeleted] = useState<ContentPage>();
  const create = <Button onClick={() => setEdited('new')}>Nouvelle Page</Button>;
  const current = ({ id }: ContentPage) => query.data?.find((page) => page.id === id);
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
        {(pages) => <PageTable pages={pages} onEdit={setEdited} onDelete={setDeleted} />}
      </QueryState>
      {edited && (
        <PageEditor
          page={edited === 'new' ? undefined : (current(edited) ?? edited)}
          onClose={() => setEdited(undefined)}
        />
      )}
      {deleted && <DeletePageDialog page={deleted} onClose={() => setDeleted(undefined)} />}
    </>
  );
}

interface TableProps {
  pages: readonly ContentPage[];
  onEdit: (page: ContentPage) => void;
  onDelete: (page: ContentPage) => void;
}

function PageTable({ pages, onEdit, onDelete }: TableProps) {
  const call = useCall();
  const activity = useAction(
    async (page: ContentPage, isActive: boolean) => {
      const body = { isActive, expectedUpdatedAt: page.updatedAt };
      await call(updateContentPage, { params: { id: String(page.id) }, body });
      return { title: 'Page mise à jour', description: `${page.title}\u00a0: ${isActive ? 'active' : 'inactive'}.` };
    },
    { failure: { fallback: "La page n'a pas pu être modifiée." }, reads: [listContentPages], keyOf: ({ id }) => id },
  );
  const columns: Part<ContentPage>[] = [
    { head: 'Page', percent: 50, inCard: 'w-full', draw: (page) => <Name page={page} /> },
    {
      head: 'Dernière modification',
      percent: 23,
      inCard: 'flex-1 text-soft text-small',
      draw: ({ updatedAt }) => <Moment instant={updatedAt} />,
    },
    {
      head: 'Active',
      percent: 12,
      className: '[&_label]:-ml-0.5',
      // As it is asked for while the call runs.
      draw: (page) => {
        const [, isActive = page.isActive] = activity.running.get(page.id) ?? [];
        return (
          <Switch
            label={`Page ${page.title} active`}
            checked={isActive}
            aria-disabled={activity.running.has(page.id) || undefined}
            onChange={({ target }) => activity.run(page, target.checked)}
          />
        );
      },
    },
  ];
  return (
    <Listing
      title="Pages de contenu"
      rows={pages}
      parts={columns}
      actions={(page) => {
        const of = `la page ${page.title}`;
        return [
          { name: 'Modifier', of, Icon: EditIcon, onClick: () => onEdit(page) },
          { name: 'Supprimer', of, Icon: BinIcon, onClick: () => onDelete(page) },
        ];
      }}
    />
  );
}

function Name({ page: { slug, title, isActive } }: { page: ContentPage }) {
  const address = isActive ? (
    <a
      href={contentAddress(slug)}
      target="_blank"
      rel="noreferrer"
      className="text-leaf underline underline-offset-4 -outline-offset-2"
    >
      /{slug}
      <span className="sr-only"> (nouvel onglet)</span>
    </a>
  ) : (
    `/${slug}`
  );
  return (
    <RowText note={address}>
      <span className="font-semibold">{title}</span>
    </RowText>
  );
}

function DeletePageDialog({ page, onClose }: { page: ContentPage; onClose: () => void }) {
  const call = useCall();
  return (
    <ConfirmDialog
      title="Supprimer cette page&nbsp;?"
      onConfirm={async () => {
        await call(deleteContentPage, { params: { id: String(page.id) } });
        return { title: 'Page supprimée', description: page.title };
      }}
      failure={{ fallback: "La page n'a pas pu être supprimée." }}
      reads={[listContentPages]}
      onClose={onClose}
    >
      <p>
        <strong>{page.title}</strong> sera supprimée définitivement, avec son texte.
      </p>
    </ConfirmDialog>
  );
}
