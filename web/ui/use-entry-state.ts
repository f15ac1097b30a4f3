import { useEffect, useState } from 'react';
import { readEntry } from './history-entry.ts';

/** A screen's state that stays with its entry of the history: Back and a reload find it again. One for a screen. */
export function useEntryState<T>(initial: T) {
  const state = useState(() => (readEntry().kept as T | undefined) ?? initial);
  const [value] = state;
  useEffect(() => history.replaceState({ ...readEntry(), kept: value }, ''), [value]);
  return state;
}
