import type { ComponentProps, ReactNode } from 'react';
import type { Endpoint } from '#contract/endpoint.ts';
import { useAction } from '#web/forms/use-action.ts';
import { Button } from '#web/ui/button.tsx';
import { buttonRow, Dialog, DialogButtons } from '#web/ui/dialog.tsx';
import type { Toast } from '#web/ui/toast.tsx';
import { useAttempt } from './use-attempt.ts';

/** Confirms an irreversible action and names its consequences. Stays open until the action ends. */
export function ConfirmDialog({
  title,
  children,
  confirm,
  cancel,
  onConfirm,
  onClose,
}: {
  title: string;
  /** The consequences. */
  children: ReactNode;
  confirm: string;
  cancel?: string;
  onConfirm: () => Promise<void>;
  onClose: () => void;
}) {
  const action = useAction(onConfirm);
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="mt-3 flex flex-col gap-5">
        <div className="flex flex-col gap-2">{children}</div>
        <DialogFoot
          type="button"
          variant="danger"
          busy={action.busy}
          onClick={() => action.run()}
          cancel={cancel}
          onCancel={onClose}
        >
          {confirm}
        </DialogFoot>
      </div>
    </Dialog>
  );
}

/** Confirms a deletion, and runs it; `done` is its toast. */
export function DeleteDialog({
  remove,
  done,
  failure,
  reads,
  confirm = 'Supprimer',
  ...dialog
}: {
  remove: () => Promise<unknown>;
  done: Toast;
  failure: string;
  /** Refetched after each try. */
  reads: Endpoint;
  confirm?: string;
} & Omit<ComponentProps<typeof ConfirmDialog>, 'confirm' | 'onConfirm'>) {
  const attempt = useAttempt();
  const onConfirm = async () => {
    const write = async () => {
      await remove();
      return done;
    };
    if (await attempt(write, { fallback: failure }, reads)) dialog.onClose();
  };
  return <ConfirmDialog confirm={confirm} onConfirm={onConfirm} {...dialog} />;
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
  ...submit
}: {
  cancel?: string | undefined;
  onCancel: () => void;
  /** The form is not a dialog's. */
  inPage?: boolean;
} & ComponentProps<typeof Button>) {
  const Buttons = inPage ? 'div' : DialogButtons;
  return (
    <Buttons className={buttonRow}>
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
