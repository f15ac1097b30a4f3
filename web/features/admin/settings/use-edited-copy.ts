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
  const isNew = !same(stored, seen);
  const takeTheirs = () => setState({ seen: stored, base: stored, draft: stored });
  if (isNew && (!unsaved || same(stored, base))) setState({ seen: stored, base: stored, draft: unsaved ? draft : stored });
  return {
    draft,
    change: (changed: T) => setState({ seen, base, draft: changed }),
    unsaved,
    /** Whether somebody else saved something else meanwhile. */
    changedByOther: isNew && unsaved && !same(stored, base),
    takeTheirs,
    keepMine: () => setState({ seen: stored, base: stored, draft }),
    /** Whether this is what the copy was made of. */
    isBase: (value: T) => same(value, base),
    noteSaved: (saved: T) => setState({ seen, base: saved, draft: saved }),
  };
}
