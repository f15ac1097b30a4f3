import {
  type ComponentProps,
  type ReactNode,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import type { FieldErrors } from '#web/forms/read-form.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { join } from '#web/ui/join.ts';
import { useMedia } from '#web/ui/use-media.ts';
import { ConfirmDialog, DialogFoot } from './confirm-dialog.tsx';

/** Does what comes next, once it is known that nothing unsaved is lost by it. */
export type Leave = (next: () => void) => void;

/** A form that fills a dialog, and scrolls above its buttons. Unsaved changes are dropped only after a question. */
export function EditDialog({
  title,
  form,
  unsaved,
  busy,
  save = 'Enregistrer',
  disabled,
  short,
  beside,
  leaving,
  errors = {},
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
  /** On a desk it stands beside what it is about; then `leaving` has what asks before something else takes its place. */
  beside?: boolean;
  leaving?: RefObject<Leave | null> | undefined;
  /** Of the fields: their number stands beside the button. */
  errors?: FieldErrors;
  bodyClass?: string;
  /** A dialog above this one. */
  question: ReactNode;
  onClose: () => void;
  children: ReactNode;
}) {
  const [asked, setAsked] = useState<{ next: () => void }>();
  const isBeside = useMedia('(min-width: 64rem)') && beside === true;
  const body = useRef<HTMLDivElement>(null);
  // The browser would focus the part that scrolls.
  useEffect(() => body.current?.querySelector<HTMLElement>('input, select, textarea')?.focus(), []);
  useUnloadGuard(unsaved);
  const leave: Leave = (next) => (unsaved ? setAsked({ next }) : next());
  useImperativeHandle(leaving, () => leave);
  const wrong = Object.keys(errors).length;
  return (
    <>
      <Dialog whole={!short} medium={short === true} beside={isBeside} title={title} onClose={() => leave(onClose)}>
        <form {...form} className="mt-3 flex min-h-0 flex-1 flex-col">
          <div ref={body} className={join('-mx-5 min-h-0 flex-1 overflow-y-auto px-5', bodyClass)}>
            {children}
          </div>
          <DialogFoot
            busy={busy}
            disabled={disabled}
            note={wrong > 0 && (wrong === 1 ? 'Un champ est à corriger.' : `${wrong} champs sont à corriger.`)}
            onCancel={() => leave(onClose)}
          >
            {busy ? 'Enregistrement...' : save}
          </DialogFoot>
        </form>
      </Dialog>
      {question}
      {asked && (
        <ConfirmDialog
          title="Abandonner vos modifications&nbsp;?"
          confirm="Abandonner"
          onConfirm={async () => asked.next()}
          onClose={() => setAsked(undefined)}
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
