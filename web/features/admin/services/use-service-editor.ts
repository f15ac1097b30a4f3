import { useState } from 'react';
import type { AdminService } from '#contract/catalogue.ts';
import { useUnloadGuard } from '#web/features/admin/shared/use-unload-guard.ts';
import { type DraftField, differences, draftOf, newDraft, type ServiceDraft, takeOver } from './service-draft.ts';
import type { ServiceTree } from './service-tree.ts';

export interface Editing {
  /** Tells one opening from the next. */
  key: number;
  /** The service as it is known to be written over; nothing for a new one. */
  base: AdminService | undefined;
  /** What there was before anything was written. */
  before: ServiceDraft;
  draft: ServiceDraft;
}

/** What somebody else did to the service while it is written: the fields they changed, or that they deleted it. */
export type ForeignChange = { fields: DraftField[] } | 'deleted';

export type ServiceEditor = ReturnType<typeof useServiceEditor>;

/** The one service that is being written. Polls change nothing of what is typed; what is unsaved is not dropped unasked. */
export function useServiceEditor(tree: ServiceTree) {
  const [editing, setEditing] = useState<Editing>();
  /** What waits for an answer to whether the unsaved may be dropped. */
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
    /** Closes, once it is sure that nothing is lost that should not be. */
    leave: () => afterAsking(close),
    /** Closes: it is saved, or there is nothing left to save it to. */
    close,
    asking: asking && {
      drop: () => {
        setAsking(undefined);
        asking.goOn();
      },
      stay: () => setAsking(undefined),
    },
    foreignChange: foreignChangeOf(tree, editing),
    /** Takes over what others changed, but for the fields that were written in. */
    takeOver: () => setEditing((now) => now && rebased(now, tree.byId.get(now.base?.id ?? 0))),
    /** Services as one has changed them oneself, elsewhere in the tree: no news. */
    noteOwn: (services: readonly AdminService[]) =>
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
  // An answer to an own change may be newer than the last poll.
  if (now.updatedAt <= editing.base.updatedAt) return undefined;
  return { fields: differences(editing.before, draftOf(now)) };
}
