import { useRef, useState } from 'react';

/** Runs one thing at a time: while it is pending another call does nothing, so a double tap sends one request. */
export function useAction<A extends unknown[]>(action: (...input: A) => Promise<void>) {
  const [pending, setPending] = useState(false);
  const running = useRef(false);
  const run = async (...input: A) => {
    if (running.current) return;
    running.current = true;
    setPending(true);
    try {
      await action(...input);
    } finally {
      running.current = false;
      setPending(false);
    }
  };
  return { run, pending };
}
