import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '#web/ui/button.tsx';

/** A stored value that several administrators may change; without a version nothing is stored yet. */
export interface Versioned {
  updatedAt: string | null;
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/**
 * An editable copy of a stored value. Unedited, it follows others' saves; edited, it reports them and waits for a
 * decision.
 */
export function useDraft<Stored extends Versioned, Draft>(stored: Stored, draftOf: (stored: Stored) => Draft) {
  const read = (from: Stored) => ({ seen: from.updatedAt, expectedUpdatedAt: from.updatedAt, base: draftOf(from) });
  const [{ seen, base, draft, expectedUpdatedAt }, setState] = useState(() => ({
    /** The last version that the editor knows. */
    seen: stored.updatedAt,
    /** The version that the draft is based on, and its content. */
    expectedUpdatedAt: stored.updatedAt,
    base: draftOf(stored),
    draft: draftOf(stored),
  }));
  const theirs = draftOf(stored);
  const unsaved = !same(draft, base);
  const hasNews = stored.updatedAt !== seen;
  const isConflict = unsaved && !same(theirs, base) && !same(theirs, draft);
  if (hasNews && !isConflict) setState({ ...read(stored), draft: unsaved ? draft : theirs });
  return {
    draft,
    change: (update: (draft: Draft) => Draft) => setState((before) => ({ ...before, draft: update(before.draft) })),
    unsaved,
    /** The version that a save is based on. */
    expectedUpdatedAt,
    /** Whether another administrator saved a different value meanwhile. */
    changedByOther: hasNews && isConflict,
    takeTheirs: () => setState({ ...read(stored), draft: theirs }),
    keepMine: () => setState({ ...read(stored), draft }),
    /** Edits made during the save stay, unsaved. */
    recordSaved: (sent: Draft, saved: Stored) =>
      setState((before) => ({
        ...before,
        expectedUpdatedAt: saved.updatedAt,
        base: draftOf(saved),
        draft: same(before.draft, sent) ? draftOf(saved) : before.draft,
      })),
  };
}

export type DraftCopy<Stored extends Versioned, Draft> = ReturnType<typeof useDraft<Stored, Draft>>;

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

/** Reports another administrator's concurrent save, and asks which version to keep. */
export function ChangedNotice({
  children,
  onTakeTheirs,
  onKeepMine,
}: {
  /** The other version. */
  children: ReactNode;
  onTakeTheirs: () => void;
  onKeepMine: () => void;
}) {
  return (
    <div role="alert" className="flex flex-col gap-3 rounded-xl border border-amber/40 bg-amber-pale p-3.5">
      <p className="font-semibold text-amber">Un autre administrateur vient de modifier cet élément.</p>
      {children}
      <div className="flex flex-wrap gap-2">
        <Button variant="plain" tight onClick={onTakeTheirs}>
          Prendre sa version
        </Button>
        <Button variant="plain" tight onClick={onKeepMine}>
          Garder la mienne
        </Button>
      </div>
    </div>
  );
}
