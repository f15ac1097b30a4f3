import { type ReactNode, useId, useRef } from 'react';
import { CrossIcon } from './control-icons.tsx';
import { useModal } from './use-modal.ts';

/** A modal panel that slides in from the side; its cross, Escape, the back button or a tap beside it closes it. */
export function Drawer({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useModal(dialog);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape and the cross do what a tap beside it does
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className="m-0 h-(--screen) max-h-none w-72 max-w-[85vw] short:w-120 bg-card text-ink shadow-xl"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div className="flex h-full flex-col gap-2 overflow-y-auto p-3 short:gap-1 short:py-1">
        <div className="flex items-center justify-between pl-3">
          <h2 id={titleId} className="font-bold text-large">
            {title}
          </h2>
          <button
            type="button"
            aria-label="Fermer le menu"
            onClick={onClose}
            className="flex size-12 items-center justify-center rounded-xl hover:bg-ground"
          >
            <CrossIcon />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
