import type { ReactNode } from 'react';
import { useAction } from '#web/forms/use-action.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

/** Asks before something that cannot be taken back, and says what will follow from it. Stays open until it is done. */
export function ConfirmDialog({
  title,
  children,
  confirm,
  onConfirm,
  onClose,
}: {
  title: string;
  /** What follows from it. */
  children: ReactNode;
  /** The button's word. */
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
