import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react';
import { Dialog } from '#web/ui/dialog.tsx';
import { join } from '#web/ui/join.ts';
import { ConfirmDialog, DialogFoot } from './confirm-dialog.tsx';

/** A form that fills a dialog, and scrolls above its buttons. Unsaved changes are dropped only after a question. */
export function EditDialog({
  title,
  form,
  unsaved,
  busy,
  save = 'Enregistrer',
  disabled,
  short,
  bodyClass,
  question,
  onClose,
  children,
}: {
  title: string;
  form: ComponentProps<'form'>;
  unsaved: boolean;
  busy: boolean;
  /** The words of the button that saves. */
  save?: string;
  /** Nothing can be saved yet. */
  disabled?: boolean;
  /** The dialog is as tall as its few fields. */
  short?: boolean;
  bodyClass?: string;
  /** A dialog above this one. */
  question: ReactNode;
  onClose: () => void;
  children: ReactNode;
}) {
  const [isLeaving, setLeaving] = useState(false);
  const body = useRef<HTMLDivElement>(null);
  // The browser would focus the part that scrolls.
  useEffect(() => body.current?.querySelector<HTMLElement>('input, select, textarea')?.focus(), []);
  useUnloadGuard(unsaved);
  const leave = () => (unsaved ? setLeaving(true) : onClose());
  return (
    <>
      <Dialog whole={!short} title={title} onClose={leave}>
        <form {...form} className="mt-3 flex min-h-0 flex-1 flex-col">
          <div ref={body} className={join('-mx-5 min-h-0 flex-1 overflow-y-auto px-5', bodyClass)}>
            {children}
          </div>
          <DialogFoot busy={busy} disabled={disabled} onCancel={leave}>
            {busy ? 'Enregistrement...' : save}
          </DialogFoot>
        </form>
      </Dialog>
      {question}
      {isLeaving && (
        <ConfirmDialog
          title="Abandonner vos modifications&nbsp;?"
          confirm="Abandonner"
          onConfirm={async () => onClose()}
          onClose={() => setLeaving(false)}
        >
          <p>Ce que vous avez saisi n'est pas enregistré.</p>
        </ConfirmDialog>
      )}
    </>
  );
}

/** Makes the browser confirm leaving or reloading the page while changes are unsaved. */
export function useUnloadGuard(unsaved: boolean): void {
  useEffect(() => {
    if (!unsaved) return;
    const ask = (event: BeforeUnloadEvent) => {
      event.preventDefault();
      // For Chrome up to 118.
      event.returnValue = true;
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [unsaved]);
}
