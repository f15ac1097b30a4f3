import { useEffect, useState } from 'react';

/** Milliseconds without typing before what was typed is asked about. */
const pause = 350;

/** A value once it has stopped changing, so that typing a word asks one question and not one per letter. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pause);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
