import { type AdminService, deleteService, listAllServices, readServiceUse } from '#contract/catalogue.ts';
import { useCall } from '#web/api/use-call.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { ConfirmDialog } from '#web/features/admin/shared/confirm-dialog.tsx';
import { useAttempt } from '#web/features/admin/shared/use-attempt.ts';
import { formatCount } from '#web/text/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';

/** Confirms the deletion of a service and names its consequences. A service with children cannot be deleted. */
export function DeleteDialog({
  service,
  below,
  onDeleted,
  onClose,
}: {
  service: AdminService;
  /** The number of all descendants. */
  below: number;
  onDeleted: () => void;
  onClose: () => void;
}) {
  const call = useCall();
  const attempt = useAttempt();
  const params = { id: String(service.id) };
  const use = useEndpoint(readServiceUse, { params }, { freshForMs: 0 });
  const descendants = Math.max(below, use.data?.descendants ?? 0);
  const remove = async () => {
    const write = async () => {
      await call(deleteService, { params });
      onDeleted();
      return { title: 'Service supprimé', description: service.name };
    };
    await attempt(write, { fallback: "Le service n'a pas pu être supprimé." }, listAllServices);
  };
  if (descendants > 0)
    return (
      <Dialog title={`« ${service.name} » ne peut pas être supprimé`} onClose={onClose}>
        <p className="mt-3">
          {`Ce service contient ${descendants === 1 ? 'un autre service' : `${formatCount(descendants)} autres services`}. Supprimez-les d'abord, ou déplacez-les.`}
        </p>
        <DialogButtons className="mt-5">
          <Button variant="plain" onClick={onClose}>
            Fermer
          </Button>
        </DialogButtons>
      </Dialog>
    );
  return (
    <ConfirmDialog title={`Supprimer « ${service.name} » ?`} confirm="Supprimer" onConfirm={remove} onClose={onClose}>
      <p>
        Ce service sera supprimé définitivement. <strong>C'est irréversible.</strong>
      </p>
      <p>{use.isError ? "Le nombre de ses tickets n'a pas pu être lu." : ticketSentence(use.data?.tickets)}</p>
      {service.isVisible && <p>Pour ne plus le proposer un moment seulement, masquez-le.</p>}
    </ConfirmDialog>
  );
}

function ticketSentence(tickets: number | undefined): string {
  if (tickets === undefined) return 'Recherche de ses tickets...';
  if (tickets === 0) return 'Aucun ticket ne le concerne.';
  if (tickets === 1) return "1 ticket garde son historique et affichera « Service inconnu » à l'export.";
  return `${formatCount(tickets)} tickets gardent leur historique et afficheront « Service inconnu » à l'export.`;
}
