import { useState } from 'react';

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
