import { useState } from 'react';
import { type AdminService, listAllServices } from '#contract/catalogue.ts';
import { deleteService, reorderServices, updateService } from '#contract/catalogue-edits.ts';
import { useCall } from '#web/api/use-call.ts';
import { CloseFoot, ConfirmDialog, DialogFoot } from '#web/features/admin/shared/confirm-dialog.tsx';
import { useAction } from '#web/forms/use-action.ts';
import { formatCounted } from '#web/text/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { ParentField } from './service-fields.tsx';
import { orderAtEnd, pathOf, type ServiceTree } from './service-tree.ts';

interface Props {
  service: AdminService;
  tree: ServiceTree;
  onClose: () => void;
}

/** Moves a service among its siblings, or to the end of another parent. */
export function MoveDialog({
  service,
  tree,
  onMoved,
  onClose,
}: Props & {
  /** It has another parent. */
  onMoved: (service: AdminService) => void;
}) {
  const call = useCall();
  const { id, name, parentId: ownParentId } = service;
  const [parentId, setParentId] = useState(ownParentId);
  const siblings = tree.childrenOf(ownParentId).map((each) => each.id);
  const position = siblings.indexOf(id);
  const parent = pathOf(tree, ownParentId).at(-1);
  const step = useAction(
    async (by: -1 | 1) => {
      const ids = siblings.filter((each) => each !== id);
      ids.splice(position + by, 0, id);
      await call(reorderServices, { body: { parentId: ownParentId, ids, expectedIds: siblings } });
    },
    { failure: { fallback: "L'ordre n'a pas pu être enregistré." }, reads: [listAllServices] },
  );
  const change = useAction(
    async () => {
      const body = { parentId, sortOrder: orderAtEnd(tree, parentId), expectedUpdatedAt: service.updatedAt };
      onMoved(await call(updateService, { params: { id: String(id) }, body }));
    },
    { failure: { fallback: "Le service n'a pas pu être déplacé." }, reads: [listAllServices] },
  );
  return (
    <Dialog title={`Déplacer «\u00a0${name}\u00a0»`} onClose={onClose}>
      <p role="status" className="mt-3">
        {`Position ${position + 1} sur ${siblings.length}${parent ? `, sous «\u00a0${parent.name}\u00a0».` : ', au premier niveau.'}`}
      </p>
      <div className="mt-3 flex flex-wrap gap-2.5">
        <Button variant="plain" className="flex-1" disabled={position <= 0} onClick={() => step.run(-1)}>
          Monter
        </Button>
        <Button
          variant="plain"
          className="flex-1"
          disabled={position >= siblings.length - 1}
          onClick={() => step.run(1)}
        >
          Descendre
        </Button>
      </div>
      <div className="mt-5 flex flex-col gap-4 border-line border-t pt-5">
        <ParentField tree={tree} id={id} parentId={parentId} onChange={setParentId} />
        <DialogFoot
          tight
          type="button"
          cancel="Fermer"
          disabled={parentId === ownParentId}
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

/** Confirms the deletion of a service and names its consequences; one that contains others is not deleted. */
export function DeleteDialog({ service, contained, onClose }: Omit<Props, 'tree'> & { contained: number }) {
  const call = useCall();
  if (contained > 0)
    return (
      <Dialog title={`«\u00a0${service.name}\u00a0» ne peut pas être supprimé`} onClose={onClose}>
        <p className="mt-3">
          {`Ce service contient ${formatCounted(contained, 'service')}. ${contained === 1 ? 'Supprimez-le ou déplacez-le' : 'Supprimez-les ou déplacez-les'} d'abord.`}
        </p>
        {service.isVisible && <p className="mt-2">Pour ne plus le proposer, masquez-le.</p>}
        <CloseFoot onClose={onClose} />
      </Dialog>
    );
  return (
    <ConfirmDialog
      title={`Supprimer «\u00a0${service.name}\u00a0»\u00a0?`}
      onConfirm={async () => {
        await call(deleteService, { params: { id: String(service.id) } });
        return { title: 'Service supprimé', description: service.name };
      }}
      failure={{ fallback: "Le service n'a pas pu être supprimé." }}
      reads={[listAllServices]}
      onClose={onClose}
    >
      <p>
        Ce service sera supprimé définitivement. <strong>C'est irréversible.</strong>
      </p>
      <p>Ses tickets gardent leur historique et afficheront «&nbsp;Service inconnu&nbsp;» à l'export.</p>
      {service.isVisible && <p>Pour ne plus le proposer un moment seulement, masquez-le.</p>}
    </ConfirmDialog>
  );
}
