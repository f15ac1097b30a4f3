import { type ContentPage, deleteContentPage, listContentPages } from '#contract/content-pages.ts';
import { useCall } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import { ConfirmDialog } from '#web/features/admin/shared/confirm-dialog.tsx';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import { useToast } from '#web/ui/toast.tsx';
import { footerLinkTo } from './footer-pages.ts';

/** Deletes a page permanently, after a warning. */
export function DeleteDialog({ page, onClose }: { page: ContentPage; onClose: () => void }) {
  const call = useCall();
  const refresh = useRefresh();
  const toast = useToast();
  const toastFailure = useFailureToast();
  const link = footerLinkTo(page.slug);
  const remove = async () => {
    try {
      await call(deleteContentPage, { params: { id: String(page.id) } });
      toast({ title: 'Page supprimée', description: page.title });
    } catch (error) {
      toastFailure(error, { fallback: "La page n'a pas pu être supprimée." });
    }
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
