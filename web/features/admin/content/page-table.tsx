import { useState } from 'react';
import { type ContentPage, listContentPages, updateContentPage } from '#contract/content-pages.ts';
import { contentAddress } from '#web/addresses.ts';
import { useCall } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import { Moment } from '#web/features/admin/shared/moment.tsx';
import { useAction } from '#web/forms/use-action.ts';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import { formatDate } from '#web/text/formats.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { type Column, DataTable } from '#web/ui/data-table.tsx';
import { Switch } from '#web/ui/switch.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { footerLinkTo } from './footer-pages.ts';

interface Props {
  pages: readonly ContentPage[];
  onEdit: (page: ContentPage) => void;
  onDelete: (page: ContentPage) => void;
}

/** The pages, by title. */
export function PageTable({ pages, ...actions }: Props) {
  const columns: Column<ContentPage>[] = [
    { head: 'Page', cell: (page) => <Name page={page} /> },
    { head: 'Dernière modification', cell: ({ updatedAt }) => <Moment instant={updatedAt} /> },
    { head: 'Active', cell: (page) => <ActiveSwitch page={page} /> },
    {
      head: 'Actions',
      headHidden: true,
      className: 'w-56',
      cell: (page) => (
        <div className="flex justify-end gap-1.5">
          <Actions page={page} small {...actions} />
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
        <>
          <div className="flex flex-wrap items-start justify-between gap-x-3">
            <div className="min-w-0 grow basis-44">
              <Name page={page} />
            </div>
            <ActiveSwitch page={page} />
          </div>
          <p className="mt-1 text-soft text-sm">Modifiée le {formatDate(page.updatedAt)}</p>
          <div className="mt-3 flex flex-wrap gap-2">
            <Actions page={page} {...actions} />
          </div>
        </>
      )}
    />
  );
}

function Name({ page: { slug, title, isActive } }: { page: ContentPage }) {
  const address = contentAddress(slug);
  return (
    <div className="min-w-0">
      <p className="wrap-anywhere font-bold">{title}</p>
      <p className="flex flex-wrap items-center gap-x-2 text-sm">
        {isActive ? (
          <a
            href={address}
            target="_blank"
            rel="noreferrer"
            className="wrap-anywhere inline-flex min-h-6 items-center text-leaf underline underline-offset-4"
          >
            /{slug}
            <span className="sr-only"> (nouvel onglet)</span>
          </a>
        ) : (
          <span className="wrap-anywhere text-soft">/{slug}</span>
        )}
        {footerLinkTo(slug) && <Badge>Pied de page</Badge>}
      </p>
    </div>
  );
}

function Actions({ page, small, onEdit, onDelete }: { page: ContentPage; small?: boolean } & Omit<Props, 'pages'>) {
  return (
    <>
      <Button
        variant="plain"
        tight
        small={small ?? false}
        className="flex-1"
        aria-label={`Modifier la page ${page.title}`}
        onClick={() => onEdit(page)}
      >
        Modifier
      </Button>
      <Button
        variant="danger"
        tight
        small={small ?? false}
        className="flex-1"
        aria-label={`Supprimer la page ${page.title}`}
        onClick={() => onDelete(page)}
      >
        Supprimer
      </Button>
    </>
  );
}

/** Shows the requested state while the call runs. */
function ActiveSwitch({ page }: { page: ContentPage }) {
  const call = useCall();
  const refresh = useRefresh();
  const toast = useToast();
  const toastFailure = useFailureToast();
  const [wanted, setWanted] = useState<boolean>();
  const toggle = useAction(async (isActive: boolean) => {
    setWanted(isActive);
    try {
      await call(updateContentPage, {
        params: { id: String(page.id) },
        body: { isActive, expectedUpdatedAt: page.updatedAt },
      });
      const warning = 'Un lien au pied des écrans mène à cette page, que personne ne peut plus lire.';
      const warns = !isActive && footerLinkTo(page.slug);
      toast({
        title: 'Page mise à jour',
        description: warns ? warning : `${page.title} : ${isActive ? 'active' : 'inactive'}.`,
      });
    } catch (error) {
      toastFailure(error, { fallback: "La page n'a pas pu être modifiée." });
    }
    await refresh(listContentPages);
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
