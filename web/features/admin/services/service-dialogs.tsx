import { useState } from 'react';
import {
  type AdminService,
  deleteService,
  listAllServices,
  readServiceUse,
  updateService,
} from '#contract/catalogue.ts';
import { useCall } from '#web/api/use-call.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { ConfirmDialog, DialogFoot } from '#web/features/admin/shared/confirm-dialog.tsx';
import { useAttempt } from '#web/features/admin/shared/use-attempt.ts';
import { useAction } from '#web/forms/use-action.ts';
import { formatCount } from '#web/text/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';
import { ParentField } from './service-fields.tsx';
import { allBelow, orderAtEnd, pathOf, type ServiceTree } from './service-tree.ts';

interface Props {
  service: AdminService;
  tree: ServiceTree;
  onClose: () => void;
}

/** Moves a service among its siblings, or to the end of another parent. */
export function MoveDialog({
  service,
  tree,
  onStep,
  onMoved,
  onClose,
}: Props & { onStep: (by: -1 | 1) => void; onMoved: (service: AdminService) => void }) {
  const call = useCall();
  const attempt = useAttempt();
  const [parentId, setParentId] = useState(service.parentId);
  const siblings = tree.childrenOf(service.parentId);
  const position = siblings.findIndex(({ id }) => id === service.id) + 1;
  const parent = pathOf(tree, service.parentId).at(-1);
  const change = useAction(async () => {
    const write = async () => {
      const body = { parentId, sortOrder: orderAtEnd(tree, parentId), expectedUpdatedAt: service.updatedAt };
      onMoved(await call(updateService, { params: { id: String(service.id) }, body }));
      return undefined;
    };
    await attempt(write, { fallback: "Le service n'a pas pu être déplacé." }, listAllServices);
  });
  return (
    <Dialog title={`Déplacer « ${service.name} »`} onClose={onClose}>
      <p role="status" className="mt-3">
        {`Position ${position} sur ${siblings.length}${parent ? `, sous « ${parent.name} ».` : ', au premier niveau.'}`}
      </p>
      <div className="mt-3 flex gap-2.5">
        <Button variant="plain" className="flex-1" disabled={position <= 1} onClick={() => onStep(-1)}>
          Monter
        </Button>
        <Button variant="plain" className="flex-1" disabled={position >= siblings.length} onClick={() => onStep(1)}>
          Descendre
        </Button>
      </div>
      <div className="mt-5 flex flex-col gap-4 border-line border-t pt-5">
        <ParentField tree={tree} id={service.id} parentId={parentId} onChange={setParentId} />
        <DialogFoot
          tight
          type="button"
          cancel="Fermer"
          disabled={parentId === service.parentId}
          busy={change.busy}
          onClick={() => change.run()}
          onCancel={onClose}
        >
          Changer de parent
        </DialogFoot>
      </div>
    </Dialog>
  );
}

/** Confirms the deletion of a service and names its consequences. A service with children cannot be deleted. */
export function DeleteDialog({ service, tree, onDeleted, onClose }: Props & { onDeleted: () => void }) {
  const call = useCall();
  const attempt = useAttempt();
  const params = { id: String(service.id) };
  const use = useEndpoint(readServiceUse, { params }, { freshForMs: 0 });
  const below = Math.max(allBelow(tree, service.id).length, use.data?.descendants ?? 0);
  const remove = async () => {
    const write = async () => {
      await call(deleteService, { params });
      onDeleted();
      return { title: 'Service supprimé', description: service.name };
    };
    await attempt(write, { fallback: "Le service n'a pas pu être supprimé." }, listAllServices);
  };
  if (below > 0)
    return (
      <Dialog title={`« ${service.name} » ne peut pas être supprimé`} onClose={onClose}>
        <p className="mt-3">
          {`Ce service contient ${below === 1 ? 'un autre service' : `${formatCount(below)} autres services`}. Supprimez-les d'abord, ou déplacez-les.`}
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
