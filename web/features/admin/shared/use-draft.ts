import { useState } from 'react';

/** What the server stores and lets several change; no version where nothing is stored yet. */
export interface Versioned {
  updatedAt: string | null;
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/**
 * A copy of what is stored, to be changed and saved as a whole. It follows what others save while nothing was changed in it;
 * once something was, theirs is told and waits for a decision.
 */
export function useDraft<Stored extends Versioned, Draft>(stored: Stored, draftOf: (stored: Stored) => Draft) {
  const read = (from: Stored) => ({ seen: from.updatedAt, expectedUpdatedAt: from.updatedAt, base: draftOf(from) });
  const [{ seen, base, draft, expectedUpdatedAt }, setState] = useState(() => ({
    /** The version that the server last told, and one has taken note of. */
    seen: stored.updatedAt,
    /** The version that the copy was made of, and what it said. */
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
    /** What a save was made from, as the server compares it. */
    expectedUpdatedAt,
    /** Whether somebody else saved something else meanwhile. */
    changedByOther: hasNews && isConflict,
    takeTheirs: () => setState({ ...read(stored), draft: theirs }),
    keepMine: () => setState({ ...read(stored), draft }),
    /** What was changed while it was being saved stays, unsaved. */
    noteSaved: (sent: Draft, saved: Stored) =>
      setState((before) => ({
        ...before,
        expectedUpdatedAt: saved.updatedAt,
        base: draftOf(saved),
        draft: same(before.draft, sent) ? draftOf(saved) : before.draft,
      })),
  };
}

export type DraftCopy<Stored extends Versioned, Draft> = ReturnType<typeof useDraft<Stored, Draft>>;
