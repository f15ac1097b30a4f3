import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { join } from './join.ts';
import { DialogToasts } from './toast.tsx';

/** A modal dialog, on the browser's own: focus stays inside, Escape closes. */
export function Dialog({
  title,
  mark,
  note,
  wide,
  whole,
  onClose,
  children,
}: {
  title: string;
  /** A picture beside the title. */
  mark?: ReactNode;
  /** A line under the title. */
  note?: ReactNode;
  /** For what needs more room than a question, where there is room. */
  wide?: boolean;
  /** For writing: all of a phone's screen, most of a desk's. What is in it shares the height, and scrolls by itself. */
  whole?: boolean;
  /** Is asked for: the dialog stands for as long as it is drawn. */
  onClose: () => void;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const drawn = useRef(false);
  const titleId = useId();
  // A layout effect: it closes while the dialog still stands, and so gives the focus back to where it was.
  useLayoutEffect(() => {
    const element = dialog.current;
    drawn.current = true;
    element?.showModal();
    // The browser gives the focus to a button at its foot, and shows that: it is read from its title.
    element?.scrollTo(0, 0);
    return () => {
      drawn.current = false;
      element?.close();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className={join('rise overscroll-contain bg-card p-5 text-ink shadow-xl', shapeOf({ wide, whole }))}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing) return;
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
      // Other ways to ask for it, such as a phone's back button.
      onCancel={(event) => {
        // A file picker inside that was given up says so too.
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
      <div className="flex flex-wrap items-center gap-3">
        {mark}
        <div className="min-w-0 flex-1 basis-52">
          <h2 id={titleId} className="font-bold text-xl leading-tight">
            {title}
          </h2>
          {note && <p className="text-sm text-soft">{note}</p>}
        </div>
      </div>
      {children}
      <DialogToasts />
    </dialog>
  );
}

function shapeOf({ wide, whole }: { wide?: boolean | undefined; whole?: boolean | undefined }): string {
  if (whole)
    return 'h-dvh max-h-none w-full max-w-none flex-col overflow-hidden open:flex sm:h-[92dvh] sm:w-[calc(100%-3rem)] sm:max-w-6xl sm:rounded-card';
  // On a phone a sheet at the foot of the screen, under the thumb.
  return join(
    'max-h-[92dvh] w-full max-w-none overflow-y-auto rounded-t-3xl pb-[calc(1.25rem+env(safe-area-inset-bottom))] max-sm:mb-0 sm:w-[calc(100%-1.5rem)] sm:rounded-card',
    wide ? 'sm:max-w-3xl' : 'sm:max-w-md',
  );
}

/**
 * The browser closes a dialog itself at the second request in a row, with those opened from it without a touch: https://html.spec.whatwg.org/#close-watcher-infrastructure. Those above it stay above it.
 */
function showAgain(dialog: HTMLDialogElement): void {
  dialog.showModal();
  for (const other of document.querySelectorAll<HTMLDialogElement>('dialog[open]')) {
    if ((dialog.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) === 0) continue;
    other.close();
    other.showModal();
  }
}
