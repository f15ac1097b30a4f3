import type { ComponentProps, ReactNode } from 'react';
import { useAction } from '#web/forms/use-action.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { join } from '#web/ui/join.ts';

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
        <DialogFoot type="button" variant="danger" busy={action.busy} onClick={() => action.run()} onCancel={onClose}>
          {confirm}
        </DialogFoot>
      </div>
    </Dialog>
  );
}

/**
 * The buttons below a form: `cancel`, and the submit button with the remaining props. They share the width, or stand at
 * the end of a wide form.
 */
export function DialogFoot({
  cancel = 'Annuler',
  onCancel,
  atEnd,
  ...submit
}: { cancel?: string; onCancel: () => void; atEnd?: boolean } & ComponentProps<typeof Button>) {
  const className = atEnd ? 'grow sm:grow-0' : 'flex-1';
  return (
    <div className={join('flex flex-wrap gap-2.5', atEnd && 'justify-end')}>
      <Button variant="plain" className={className} onClick={onCancel}>
        {cancel}
      </Button>
      <Button type="submit" className={className} {...submit} />
    </div>
  );
}
