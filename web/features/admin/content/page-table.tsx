import { useState } from 'react';
import { type ContentPage, deleteContentPage, listContentPages, updateContentPage } from '#contract/content-pages.ts';
import { contentAddress, privacyAddress, termsAddress } from '#web/addresses.ts';
import { useCall } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import { ConfirmDialog } from '#web/features/admin/shared/confirm-dialog.tsx';
import { Moment } from '#web/features/admin/shared/moment.tsx';
import { EditButtons } from '#web/features/admin/shared/row-buttons.tsx';
import { useAttempt } from '#web/features/admin/shared/use-attempt.ts';
import { useAction } from '#web/forms/use-action.ts';
import { formatDate } from '#web/text/formats.ts';
import { Badge } from '#web/ui/badge.tsx';
import { type Column, DataTable } from '#web/ui/data-table.tsx';
import { Switch } from '#web/ui/switch.tsx';

interface Props {
  pages: readonly ContentPage[];
  onEdit: (page: ContentPage) => void;
  onDelete: (page: ContentPage) => void;
}

export function PageTable({ pages, onEdit, onDelete }: Props) {
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
          <EditButtons of={`la page ${page.title}`} small onEdit={() => onEdit(page)} onDelete={() => onDelete(page)} />
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
            <EditButtons of={`la page ${page.title}`} onEdit={() => onEdit(page)} onDelete={() => onDelete(page)} />
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

/** Shows the requested state while the call runs. */
function ActiveSwitch({ page }: { page: ContentPage }) {
  const call = useCall();
  const attempt = useAttempt();
  const [wanted, setWanted] = useState<boolean>();
  const toggle = useAction(async (isActive: boolean) => {
    setWanted(isActive);
    const write = async () => {
      await call(updateContentPage, {
        params: { id: String(page.id) },
        body: { isActive, expectedUpdatedAt: page.updatedAt },
      });
      const warning = 'Un lien au pied des écrans mène à cette page, que personne ne peut plus lire.';
      const warns = !isActive && footerLinkTo(page.slug);
      return {
        title: 'Page mise à jour',
        description: warns ? warning : `${page.title} : ${isActive ? 'active' : 'inactive'}.`,
      };
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

/** Deletes a page permanently, after a warning. */
export function DeleteDialog({ page, onClose }: { page: ContentPage; onClose: () => void }) {
  const call = useCall();
  const refresh = useRefresh();
  const attempt = useAttempt();
  const link = footerLinkTo(page.slug);
  const remove = async () => {
    const write = async () => {
      await call(deleteContentPage, { params: { id: String(page.id) } });
      return { title: 'Page supprimée', description: page.title };
    };
    await attempt(write, { fallback: "La page n'a pas pu être supprimée." });
    onClose();
    await refresh(listContentPages);
  };
  return (
    <ConfirmDialog title="Supprimer cette page ?" confirm="Supprimer" onConfirm={remove} onClose={onClose}>
      <p>
        <strong>{page.title}</strong> sera supprimée définitivement, avec son texte.
      </p>
      {link && (
        <p className="rounded-xl bg-amber-pale px-3 py-2 text-amber">
          Le lien « {link} » au pied des écrans mène à cette page : il ne trouvera plus rien.
        </p>
      )}
    </ConfirmDialog>
  );
}

/** The footer link of the visitors' screens to this slug, if any. */
export function footerLinkTo(slug: string): string | undefined {
  const address = contentAddress(slug);
  if (address === termsAddress) return 'Conditions d’utilisation';
  return address === privacyAddress ? 'Politique de confidentialité' : undefined;
}
