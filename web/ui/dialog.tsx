import { type ComponentProps, type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { join } from './join.ts';
import { DialogToasts } from './toast.tsx';
import { useModal } from './use-modal.ts';

interface Props {
  title: string;
  mark?: ReactNode;
  note?: ReactNode;
  /** A larger dialog, if the screen allows, for more than a question. */
  wide?: boolean;
  /** For a small form. */
  medium?: boolean;
  /** For editing: the whole screen of a phone, most of a desktop's. Its content scrolls itself. */
  whole?: boolean;
  /** At the right edge of a desk, beside what it is about, which stays in use. It is full of a form, as a whole one. */
  beside?: boolean;
  /** Under a head of the brand's cloth. */
  cloth?: boolean;
  /** The title has the focus at first: no keyboard of a phone covers the content before a field is touched. */
  calm?: boolean;
  /** The page's address opens it, and going back from that closes it. */
  addressed?: boolean;
  /** Requests closing; the dialog stays open as long as it is rendered. */
  onClose: () => void;
  children: ReactNode;
}

/** A modal native dialog: it traps the focus, and Escape and the back button close it. */
export function Dialog({ title, mark, note, cloth, calm, addressed, onClose, children, ...shape }: Props) {
  const { beside } = shape;
  const dialog = useRef<HTMLDialogElement>(null);
  const drawn = useRef(false);
  const titleId = useId();
  useModal(dialog, !beside);
  useLayoutEffect(() => {
    drawn.current = true;
    // The browser scrolls to the focused button at the bottom; reading starts at the title.
    dialog.current?.scrollTo(0, 0);
    return () => {
      drawn.current = false;
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      data-addressed={addressed}
      className={join(
        'rise overscroll-contain bg-card p-5 pb-(--foot) text-ink shadow-xl [--foot:calc(1rem+env(safe-area-inset-bottom))] short:pt-3 short:[--foot:0.375rem]',
        shapeOf(shape),
      )}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing) return;
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
      // Other close requests: the back button, by `useModal` or by the browser itself.
      onCancel={(event) => {
        // A cancelled file picker inside fires this event too.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
      onClose={(event) => {
        if (!drawn.current || event.currentTarget.open) return;
        showAgain(event.currentTarget);
        onClose();
      }}
    >
      <div className={join('flex flex-wrap items-center gap-3', cloth && 'cloth -mt-5 pt-5 short:-mt-3 short:pt-3')}>
        {mark}
        <div className="min-w-0 flex-1 basis-52">
          <h2
            id={titleId}
            {...(calm && { tabIndex: -1, ref: takeFocusFirst })}
            className="text-balance font-bold font-display text-title leading-tight outline-none"
          >
            {title}
          </h2>
          {note && <p className={join('text-small', cloth ? 'text-white/80' : 'text-soft')}>{note}</p>}
        </div>
      </div>
      {children}
      {!beside && <DialogToasts />}
    </dialog>
  );
}

/** The attribute, which React does not set: a field that has the focus even for a moment calls the keyboard. */
const takeFocusFirst = (heading: HTMLElement | null) => heading?.setAttribute('autofocus', '');

/** On a phone the buttons of a row share its width; elsewhere each is as wide as its words, at the right. */
export const buttonRow = 'flex flex-wrap justify-end gap-2.5 [&>:is(a,button)]:flex-1 sm:[&>:is(a,button)]:flex-none';

/** The buttons that end every dialog, in sight while its content scrolls; on a short screen with large text at its end. */
export function DialogButtons({ className, ...row }: ComponentProps<'div'>) {
  return (
    <div
      {...row}
      className={join(
        'sticky bottom-[min(-1*var(--foot),(0.92*var(--screen)-16rem)*99,(100vw-18rem)*99)] z-10 -mx-5 -mb-(--foot) border-line border-t bg-card px-5 pt-4 pb-(--foot) short:pt-1.5',
        buttonRow,
        className,
      )}
    />
  );
}

function shapeOf({ wide, medium, whole, beside }: Pick<Props, 'wide' | 'medium' | 'whole' | 'beside'>): string {
  if (beside)
    return 'fixed top-[calc(6px+var(--bar-above))] right-0 bottom-0 left-auto z-20 m-0 h-auto max-h-none w-(--beside) max-w-none flex-col overflow-hidden border-line border-l open:flex';
  if (whole)
    return 'h-(--screen) max-h-none w-full max-w-none flex-col overflow-hidden open:flex sm:h-[calc(0.92*var(--screen))] sm:w-[calc(100%-3rem)] sm:max-w-6xl sm:rounded-card';
  // On a phone, a sheet at the bottom of the screen.
  return join(
    'max-h-[calc(0.92*var(--screen))] w-full max-w-none scroll-pb-24 overflow-y-auto rounded-t-3xl short:max-h-[calc(0.96*var(--screen))] max-sm:mb-0 sm:w-[calc(100%-1.5rem)] sm:rounded-card',
    wide ? 'sm:max-w-3xl' : medium ? 'sm:max-w-140 short:max-w-160' : 'sm:max-w-md short:max-w-160',
  );
}

/**
 * Browsers force a dialog closed at the second close request in a row without user activation, with the dialogs opened
 * from it: https://html.spec.whatwg.org/#close-watcher-infrastructure. Reopens it below the dialogs above it.
 */
function showAgain(dialog: HTMLDialogElement): void {
  dialog.showModal();
  for (const other of document.querySelectorAll<HTMLDialogElement>('dialog[open]')) {
    if ((dialog.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) === 0) continue;
    other.close();
    other.showModal();
  }
}
