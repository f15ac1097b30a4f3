import { useRef, useState } from 'react';

/** Runs one thing at a time: while it is busy another call does nothing, so a double tap sends one request. */
export function useAction<A extends unknown[]>(action: (...input: A) => Promise<void>) {
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  const run = async (...input: A) => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    try {
      await action(...input);
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { run, busy };
}
