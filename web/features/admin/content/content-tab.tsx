import { type ReactNode, useState } from 'react';
import { type ContentPage, deleteContentPage, listContentPages, updateContentPage } from '#contract/content-pages.ts';
import { contentAddress } from '#web/addresses.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useCall } from '#web/api/use-call.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { ConfirmDialog } from '#web/features/admin/shared/confirm-dialog.tsx';
import { Moment } from '#web/features/admin/shared/moment.tsx';
import { EditButtons } from '#web/features/admin/shared/row-buttons.tsx';
import { TabTitle } from '#web/features/admin/shared/tab-title.tsx';
import { useAttempt } from '#web/features/admin/shared/use-attempt.ts';
import { useAction } from '#web/forms/use-action.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { type Column, DataTable } from '#web/ui/data-table.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageIcon } from '#web/ui/icons.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { Switch } from '#web/ui/switch.tsx';
import { PageEditor } from './page-editor.tsx';
import { footerLinkTo } from './slugs.ts';

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
      {deleted && <DeleteDialog page={deleted} onClose={() => setDeleted(undefined)} />}
    </>
  );
}

interface TableProps {
  pages: readonly ContentPage[];
  onEdit: (page: ContentPage) => void;
  onDelete: (page: ContentPage) => void;
}

function PageTable({ pages, onEdit, onDelete }: TableProps) {
  const buttonsOf = (page: ContentPage) => ({
    of: `la page ${page.title}`,
    onEdit: () => onEdit(page),
    onDelete: () => onDelete(page),
  });
  const columns: Column<ContentPage>[] = [
    {
      head: 'Page',
      cell: (page) => (
        <Name page={page}>
          <FooterBadge slug={page.slug} />
        </Name>
      ),
    },
    { head: 'Dernière modification', cell: ({ updatedAt }) => <Moment instant={updatedAt} /> },
    { head: 'Active', cell: (page) => <ActiveSwitch page={page} />, className: '[&_label]:-ml-0.5' },
    {
      head: 'Actions',
      className: 'w-56',
      cell: (page) => (
        <div className="flex gap-1.5">
          <EditButtons small {...buttonsOf(page)} />
        </div>
      ),
    },
  ];
  return (
    <DataTable
      label="Pages de contenu"
      rows={pages}
      columns={columns}
      card={(page) => (
        // On a phone on its side one row.
        <div className="bar:grid bar:grid-cols-[minmax(0,1fr)_auto_auto] bar:items-center bar:gap-x-3">
          <div className="flex flex-wrap items-start justify-between gap-x-3 bar:contents">
            <div className="min-w-0 grow basis-44">
              <Name page={page} />
            </div>
            <span className="flex items-center gap-1.5 bar:row-span-2">
              <Badge small tone={page.isActive ? 'green' : 'grey'}>
                {page.isActive ? 'Active' : 'Inactive'}
              </Badge>
              <ActiveSwitch page={page} />
            </span>
          </div>
          <p className="mt-1 flex flex-wrap items-center gap-x-2 text-soft text-sm bar:col-start-1 bar:row-start-2">
            <span>
              Modifiée le <Moment instant={page.updatedAt} />
            </span>
            <FooterBadge slug={page.slug} />
          </p>
          <div className="mt-3 flex flex-wrap justify-end gap-2 sm:*:flex-none bar:col-start-3 bar:row-span-2 bar:row-start-1 bar:mt-0">
            <EditButtons {...buttonsOf(page)} />
          </div>
        </div>
      )}
    />
  );
}

/** A page's title and address, and more on the line of the address. */
function Name({ page: { slug, title, isActive }, children }: { page: ContentPage; children?: ReactNode }) {
  return (
    <div className="min-w-0">
      <p className="wrap-anywhere font-semibold">{title}</p>
      <p className="flex flex-wrap items-center gap-x-2 text-[0.8125rem]">
        {isActive ? (
          <a
            href={contentAddress(slug)}
            target="_blank"
            rel="noreferrer"
            className="wrap-anywhere inline-flex min-h-6 items-center text-leaf underline underline-offset-4"
          >
            /{slug}
            <span className="sr-only"> (nouvel onglet)</span>
          </a>
        ) : (
          <span className="wrap-anywhere text-soft">{`/${slug}`}</span>
        )}
        {children}
      </p>
    </div>
  );
}

const FooterBadge = ({ slug }: { slug: string }) => footerLinkTo(slug) && <Badge small>Pied de page</Badge>;

/** Shows the requested state while the call runs. */
function ActiveSwitch({ page }: { page: ContentPage }) {
  const call = useCall();
  const attempt = useAttempt();
  const [wanted, setWanted] = useState<boolean>();
  const toggle = useAction(async (isActive: boolean) => {
    setWanted(isActive);
    const write = async () => {
      const body = { isActive, expectedUpdatedAt: page.updatedAt };
      await call(updateContentPage, { params: { id: String(page.id) }, body });
      const isMissed = !isActive && footerLinkTo(page.slug);
      const description = isMissed
        ? 'Un lien au pied des écrans mène à cette page, que personne ne peut plus lire.'
        : `${page.title} : ${isActive ? 'active' : 'inactive'}.`;
      return { title: 'Page mise à jour', description };
    };
    await attempt(write, { fallback: "La page n'a pas pu être modifiée." }, listContentPages);
    setWanted(undefined);
  });
  return (
    <Switch
      label={`Page ${page.title} active`}
      checked={wanted ?? page.isActive}
      aria-disabled={toggle.busy || undefined}
      onChange={(event) => toggle.run(event.target.checked)}
    />
  );
}

function DeleteDialog({ page, onClose }: { page: ContentPage; onClose: () => void }) {
  const call = useCall();
  const attempt = useAttempt();
  const link = footerLinkTo(page.slug);
  const remove = async () => {
    const write = async () => {
      await call(deleteContentPage, { params: { id: String(page.id) } });
      onClose();
      return { title: 'Page supprimée', description: page.title };
    };
    await attempt(write, { fallback: "La page n'a pas pu être supprimée." }, listContentPages);
  };
  return (
    <ConfirmDialog title="Supprimer cette page ?" confirm="Supprimer" onConfirm={remove} onClose={onClose}>
      <p>
        <strong>{page.title}</strong> sera supprimée définitivement, avec son texte.
      </p>
      {link && (
        <p className="rounded-xl bg-amber-pale px-3 py-2 text-amber">{`Le lien «\u00a0${link}\u00a0» au pied des écrans mène à cette page : il ne trouvera plus rien.`}</p>
      )}
    </ConfirmDialog>
  );
}
