import { useState } from 'react';

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/**
 * A copy of what is stored, to be changed and saved as a whole. It follows what others save while nothing was changed in it;
 * once something was, theirs is told and waits for a decision.
 */
export function useEditedCopy<T>(stored: T) {
  const [{ seen, base, draft }, setState] = useState({
    /** What the server last said, and one has taken note of. */
    seen: stored,
    /** What the copy was made of. */
    base: stored,
    draft: stored,
  });
  const unsaved = !same(draft, base);
  const hasNews = !same(stored, seen);
  if (hasNews && (!unsaved || same(stored, base)))
    setState({ seen: stored, base: stored, draft: unsaved ? draft : stored });
  return {
    draft,
    change: (update: (draft: T) => T) => setState((before) => ({ ...before, draft: update(before.draft) })),
    unsaved,
    /** Whether somebody else saved something else meanwhile. */
    changedByOther: hasNews && unsaved && !same(stored, base),
    takeTheirs: () => setState({ seen: stored, base: stored, draft: stored }),
    keepMine: () => setState({ seen: stored, base: stored, draft }),
    /** Whether this is what the copy was made of. */
    isBase: (value: T) => same(value, base),
    /** What was changed while it was being saved stays, unsaved. */
    noteSaved: (sent: T, saved: T) =>
      setState((before) => ({ ...before, base: saved, draft: same(before.draft, sent) ? saved : before.draft })),
  };
}
