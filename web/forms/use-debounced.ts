import { useEffect, useState } from 'react';
import { typingPauseMs } from '#web/api/limits.ts';

/** A value once it has stopped changing for a moment, so that typing a word asks one question and not one per letter. */
export function useDebounced<T>(value: T): T {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), typingPauseMs);
    return () => clearTimeout(timer);
  }, [value]);
  return debounced;
}
