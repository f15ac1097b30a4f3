import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import type { AdminService } from '#contract/catalogue.ts';
import { useUnloadGuard } from '#web/features/admin/shared/draft.tsx';
import { cardClass } from '#web/ui/card.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { join } from '#web/ui/join.ts';
import { type DraftField, differences, draftOf, newDraft, type ServiceDraft, takeOver } from './service-draft.ts';
import type { ServiceTree } from './service-tree.ts';

export interface Editing {
  /** Identifies one opening of the editor. */
  key: number;
  /** The version that a save is based on; undefined for a new service. */
  base: AdminService | undefined;
  /** The draft before any edit. */
  before: ServiceDraft;
  draft: ServiceDraft;
}

/** Another administrator's change to the edited service: its changed fields, or its deletion. */
export type ForeignChange = { fields: DraftField[] } | 'deleted';

export type ServiceEditor = ReturnType<typeof useServiceEditor>;

/** The service in the editor. Polls do not change typed values; unsaved changes are discarded only after a question. */
export function useServiceEditor(tree: ServiceTree) {
  const [editing, setEditing] = useState<Editing>();
  /** Runs after the question about unsaved changes is answered. */
  const [asking, setAsking] = useState<{ goOn: () => void }>();
  const isUnsaved = editing !== undefined && differences(editing.before, editing.draft).length > 0;
  useUnloadGuard(isUnsaved);

  const start = (base: AdminService | undefined, before: ServiceDraft) =>
    setEditing((last) => ({ key: (last?.key ?? 0) + 1, base, before, draft: before }));
  const afterAsking = (goOn: () => void) => (isUnsaved ? setAsking({ goOn }) : goOn());
  const close = () => setEditing(undefined);

  return {
    editing,
    change: (part: Partial<ServiceDraft>) => setEditing((now) => now && { ...now, draft: { ...now.draft, ...part } }),
    open: (service: AdminService) => {
      if (editing?.base?.id !== service.id) afterAsking(() => start(service, draftOf(service)));
    },
    create: (parentId: number | null) => afterAsking(() => start(undefined, newDraft(parentId))),
    /** Closes, after a question if changes are unsaved. */
    leave: () => afterAsking(close),
    /** Closes without a question: saved, or the service is gone. */
    close,
    asking: asking && {
      drop: () => {
        setAsking(undefined);
        asking.goOn();
      },
      stay: () => setAsking(undefined),
    },
    foreignChange: foreignChangeOf(tree, editing),
    /** Takes over others' changes in all fields that were not edited. */
    takeOver: () => setEditing((now) => now && rebased(now, tree.byId.get(now.base?.id ?? 0))),
    /** Registers own changes made elsewhere in the tree, so that they do not count as another administrator's. */
    recordOwn: (services: readonly AdminService[]) =>
      setEditing(
        (now) =>
          now &&
          rebased(
            now,
            services.find(({ id }) => id === now.base?.id),
          ),
      ),
  };
}

function rebased(editing: Editing, now: AdminService | undefined): Editing {
  if (!now) return editing;
  const before = draftOf(now);
  return { ...editing, base: now, before, draft: takeOver(editing.before, editing.draft, before) };
}

function foreignChangeOf(tree: ServiceTree, editing: Editing | undefined): ForeignChange | undefined {
  if (!editing?.base) return undefined;
  const now = tree.byId.get(editing.base.id);
  if (!now) return 'deleted';
  // The answer to an own change may be newer than the last poll.
  if (now.updatedAt <= editing.base.updatedAt) return undefined;
  return { fields: differences(editing.before, draftOf(now)) };
}

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
  if (isBeside)
    return (
      <Panel title={title} onClose={onClose}>
        {children}
      </Panel>
    );
  return (
    <Dialog wide title={title} onClose={onClose}>
      {children}
    </Dialog>
  );
}

/** Takes the focus on opening, and restores it on closing. As tall as the screen below its top, wherever the page is scrolled. */
function Panel({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const panel = useRef<HTMLElement>(null);
  const isEntered = useRef(false);
  const titleId = useId();
  useLayoutEffect(() => {
    const element = panel.current;
    const opener = document.activeElement;
    // Once: this effect also runs on return from another tab.
    if (!isEntered.current) element?.focus({ preventScroll: true });
    isEntered.current = true;
    const measureRoom = () => element?.style.setProperty('--top', `${element.getBoundingClientRect().top}px`);
    measureRoom();
    addEventListener('scroll', measureRoom, { passive: true });
    return () => {
      removeEventListener('scroll', measureRoom);
      if (element?.contains(document.activeElement) && opener instanceof HTMLElement)
        opener.focus({ preventScroll: true });
    };
  }, []);
  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-labelledby={titleId}
      className={join(
        cardClass,
        // From the tree's first line on, below the count of services.
        'sticky top-4 mt-10.5 max-h-[calc(var(--screen)-max(var(--top),1rem)-1rem)] overflow-y-auto p-5 outline-none pb-(--foot) [--foot:1rem]',
      )}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing) return;
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id={titleId} className="font-bold text-xl">
        {title}
      </h2>
      {children}
    </section>
  );
}
