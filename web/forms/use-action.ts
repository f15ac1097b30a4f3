import { useRef, useState } from 'react';
import { useCloseFailure } from '#web/ui/toast.tsx';

/**
 * Runs one thing at a time: while it is busy another call does nothing, so a double tap sends one request. A failure's
 * message goes when the next try begins, and so never stands over a success.
 */
export function useAction<A extends unknown[]>(action: (...input: A) => Promise<void>) {
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  const closeFailure = useCloseFailure();
  const run = async (...input: A) => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    closeFailure();
    try {
      await action(...input);
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { run, busy };
}
