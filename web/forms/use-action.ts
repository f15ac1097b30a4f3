import { useRef, useState } from 'react';
import type { Endpoint } from '#contract/endpoint.ts';
import { useRefresh } from '#web/api/use-refresh.ts';
import { type Toast, useCloseFailure, useToast } from '#web/ui/toast.tsx';
import { useFailureToast, type Wording } from './use-failure-toast.ts';

/** What an action resolves with: the toast of its success, if it has one. */
// biome-ignore lint/suspicious/noConfusingVoidType: an action without a toast returns nothing
export type Done = Promise<Toast | void>;

export interface ActionOptions<A extends unknown[] = []> {
  /** The words of a failure's toast; a function may show it otherwise, and return none. Without it a failure is thrown. */
  failure?: Wording | ((error: unknown, ...input: A) => Wording | undefined);
  /** Refetched after each try. */
  reads?: readonly Endpoint[] | undefined;
  /** Inputs with other keys run beside one another, such as those of other rows. */
  keyOf?: (...input: A) => unknown;
}

/**
 * Runs one action at a time, and shows its toast, or its failure's. The next try takes a failure's toast away. `run` resolves
 * with its success; `running` has the inputs by key.
 */
export function useAction<A extends unknown[]>(
  action: (...input: A) => Done,
  { failure, reads = [], keyOf }: ActionOptions<A> = {},
) {
  const [running, setRunning] = useState<ReadonlyMap<unknown, A>>(new Map());
  const held = useRef(new Map<unknown, A>());
  const refresh = useRefresh();
  const toast = useToast();
  const toastFailure = useFailureToast();
  const closeFailure = useCloseFailure();
  const run = async (...input: A): Promise<boolean> => {
    const key = keyOf?.(...input);
    if (held.current.has(key)) return false;
    held.current.set(key, input);
    setRunning(new Map(held.current));
    closeFailure();
    try {
      const done = await action(...input);
      if (done) toast(done);
      return true;
    } catch (error) {
      if (!failure) throw error;
      const words = typeof failure === 'function' ? failure(error, ...input) : failure;
      if (words) toastFailure(error, words);
      return false;
    } finally {
      await refresh(...reads);
      held.current.delete(key);
      setRunning(new Map(held.current));
    }
  };
  return { run, busy: running.size > 0, running };
}
