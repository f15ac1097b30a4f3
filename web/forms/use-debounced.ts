import { useEffect, useState } from 'react';
import { typingPauseMs } from '#web/api/limits.ts';

/** A value after a pause in its changes: one request for a word, not one per letter. */
export function useDebounced<T>(value: T): T {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), typingPauseMs);
    return () => clearTimeout(timer);
  }, [value]);
  return debounced;
}
