import type { ReactNode } from 'react';
import { useAction } from '#web/forms/use-action.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

/** Confirms an irreversible action and names its consequences. Stays open until the action ends. */
export function ConfirmDialog({
  title,
  children,
  confirm,
  onConfirm,
  onClose,
}: {
  title: string;
  /** The consequences. */
  children: ReactNode;
  confirm: string;
  onConfirm: () => Promise<void>;
  onClose: () => void;
}) {
  const action = useAction(onConfirm);
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="mt-3 flex flex-col gap-5">
        <div className="flex flex-col gap-2">{children}</div>
        <div className="flex flex-wrap gap-2.5">
          <Button variant="plain" className="flex-1" onClick={onClose}>
            Annuler
          </Button>
          <Button variant="danger" className="flex-1" busy={action.busy} onClick={() => action.run()}>
            {confirm}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
