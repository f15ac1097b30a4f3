import { useRef, useState } from 'react';
import { useCloseFailure } from '#web/ui/toast.tsx';

/** Runs one action at a time; the next try takes a failure's message away. */
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
