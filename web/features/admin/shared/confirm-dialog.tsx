import type { ComponentProps, ReactNode } from 'react';
import { type ActionOptions, type Done, useAction } from '#web/forms/use-action.ts';
import { Button } from '#web/ui/button.tsx';
import { buttonRow, Dialog, DialogButtons } from '#web/ui/dialog.tsx';

/** Confirms an irreversible action, a deletion unless it says otherwise, and names its consequences. Stays open until it succeeds. */
export function ConfirmDialog({
  title,
  children,
  confirm = 'Supprimer',
  cancel,
  onConfirm,
  failure,
  reads,
  onClose,
}: {
  title: string;
  /** The consequences. */
  children: ReactNode;
  confirm?: string;
  cancel?: string;
  onConfirm: () => Done;
  onClose: () => void;
} & Omit<ActionOptions, 'keyOf'>) {
  const { run, busy } = useAction(onConfirm, { failure, reads });
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="mt-3 flex flex-col gap-5">
        <div className="flex flex-col gap-2">{children}</div>
        <DialogFoot
          type="button"
          variant="danger"
          busy={busy}
          onClick={async () => (await run()) && onClose()}
          cancel={cancel}
          onCancel={onClose}
        >
          {confirm}
        </DialogFoot>
      </div>
    </Dialog>
  );
}

/** The one button below a dialog that only shows something. */
export function CloseFoot({ onClose }: { onClose: () => void }) {
  return (
    <DialogButtons className="mt-5">
      <Button variant="plain" onClick={onClose}>
        Fermer
      </Button>
    </DialogButtons>
  );
}

/** The buttons below a form: `cancel`, and the submit button with the remaining props; one of danger is filled. */
export function DialogFoot({
  cancel = 'Annuler',
  onCancel,
  inPage,
  note,
  ...submit
}: {
  cancel?: string | undefined;
  onCancel: () => void;
  /** The form is not a dialog's. */
  inPage?: boolean;
  /** What is to be mended before it can be sent. */
  note?: ReactNode;
} & ComponentProps<typeof Button>) {
  const Buttons = inPage ? 'div' : DialogButtons;
  return (
    <Buttons className={buttonRow}>
      {note && <p className="grow self-center font-medium text-brick text-small max-sm:basis-full">{note}</p>}
      <Button variant="plain" onClick={onCancel}>
        {cancel}
      </Button>
      <Button
        type="submit"
        className={submit.variant === 'danger' ? 'bg-brick! text-card! hover:brightness-90' : undefined}
        {...submit}
      />
    </Buttons>
  );
}
