import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { DialogToasts } from './toast.tsx';

/** A modal dialog, on the browser's own: focus stays inside, Escape closes. */
export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // A layout effect: it closes while the dialog still stands, and so gives the focus back to where it was.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className="rise max-h-[92dvh] w-[calc(100%-1.5rem)] max-w-md overflow-y-auto rounded-card bg-card p-5 text-ink shadow-xl"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id={titleId} className="font-bold text-xl">
        {title}
      </h2>
      {children}
      <DialogToasts />
    </dialog>
  );
}
