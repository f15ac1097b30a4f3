import { useState } from 'react';
import type { AdminService } from '#contract/catalogue.ts';
import { DialogFoot } from '#web/features/admin/shared/confirm-dialog.tsx';
import { useForm } from '#web/forms/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { ParentField } from './base-fields.tsx';
import { type Move, moveBy } from './moves.ts';
import { pathOf, type ServiceTree } from './service-tree.ts';

/** Moves a service without dragging: among its siblings, or under another parent. */
export function MoveDialog({
  service,
  tree,
  onReorder,
  onReparent,
  onClose,
}: {
  service: AdminService;
  tree: ServiceTree;
  onReorder: (move: Move) => void;
  /** Resolves with whether the service moved. */
  onReparent: (move: Move) => Promise<boolean>;
  onClose: () => void;
}) {
  const [parentId, setParentId] = useState(service.parentId);
  const siblings = tree.childrenOf(service.parentId).map(({ id }) => id);
  const position = siblings.indexOf(service.id) + 1;
  const parent = pathOf(tree, service.parentId).at(-1);
  const { form, busy } = useForm({
    read: () => ({ data: parentId }),
    send: async (parentId) => {
      const expectedIds = tree.childrenOf(parentId).map(({ id }) => id);
      const ids = [...expectedIds, service.id];
      if (await onReparent({ id: service.id, parentId, ids, expectedIds })) onClose();
    },
    failure: { fallback: "Le service n'a pas pu être déplacé." },
  });
  const step = (by: -1 | 1) => {
    const move = moveBy(tree, service.id, by, siblings);
    if (move) onReorder(move);
  };
  return (
    <Dialog title={`Déplacer « ${service.name} »`} onClose={onClose}>
      <p role="status" className="mt-3">
        {`Position ${position} sur ${siblings.length}${parent ? `, sous « ${parent.name} ».` : ', au premier niveau.'}`}
      </p>
      <div className="mt-3 flex gap-2.5">
        <Button variant="plain" className="flex-1" disabled={position <= 1} onClick={() => step(-1)}>
          Monter
        </Button>
        <Button variant="plain" className="flex-1" disabled={position >= siblings.length} onClick={() => step(1)}>
          Descendre
        </Button>
      </div>
      <form {...form} className="mt-5 flex flex-col gap-4 border-line border-t pt-5">
        <ParentField tree={tree} id={service.id} parentId={parentId} onChange={setParentId} />
        <DialogFoot tight cancel="Fermer" disabled={parentId === service.parentId} busy={busy} onCancel={onClose}>
          Changer de parent
        </DialogFoot>
      </form>
    </Dialog>
  );
}
