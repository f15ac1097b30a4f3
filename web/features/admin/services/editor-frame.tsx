import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { cardClass } from '#web/ui/card.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { join } from '#web/ui/join.ts';

/** The frame of the editor: beside the tree if there is space, else over it. */
export function EditorFrame({
  title,
  isBeside,
  onClose,
  children,
}: {
  title: string;
  isBeside: boolean;
  onClose: () => void;
  children: ReactNode;
}) {
  if (isBeside) return <Panel title={title}>{children}</Panel>;
  return (
    <Dialog wide title={title} onClose={onClose}>
      {children}
    </Dialog>
  );
}

/** Takes the focus on opening, and restores it on closing. */
function Panel({ title, children }: { title: string; children: ReactNode }) {
  const panel = useRef<HTMLElement>(null);
  const isEntered = useRef(false);
  const titleId = useId();
  useLayoutEffect(() => {
    const element = panel.current;
    const opener = document.activeElement;
    // Once: this effect also runs on return from another tab.
    if (!isEntered.current) element?.focus({ preventScroll: true });
    isEntered.current = true;
    return () => {
      if (element?.contains(document.activeElement) && opener instanceof HTMLElement)
        opener.focus({ preventScroll: true });
    };
  }, []);
  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-labelledby={titleId}
      className={join(cardClass, 'sticky top-4 max-h-[calc(100dvh-11.5rem)] overflow-y-auto p-5 outline-none')}
    >
      <h2 id={titleId} className="font-bold text-xl">
        {title}
      </h2>
      {children}
    </section>
  );
}
