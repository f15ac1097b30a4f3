import { useRef, useState } from 'react';
import { useCloseFailure } from '#web/ui/toast.tsx';

/** `useAction` for rows: one action at a time for each, beside those of the others. `busy` has the input by the id of each row at work. */
export function useRowAction<Row extends { id: number }, A extends unknown[]>(
  action: (row: Row, ...input: A) => Promise<void>,
) {
  const [busy, setBusy] = useState<ReadonlyMap<number, A>>(new Map());
  const running = useRef(new Map<number, A>());
  const closeFailure = useCloseFailure();
  const run = async (row: Row, ...input: A) => {
    if (running.current.has(row.id)) return;
    running.current.set(row.id, input);
    setBusy(new Map(running.current));
    closeFailure();
    try {
      await action(row, ...input);
    } finally {
      running.current.delete(row.id);
      setBusy(new Map(running.current));
    }
  };
  return { run, busy };
}
