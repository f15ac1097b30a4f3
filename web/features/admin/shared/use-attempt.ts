import type { Endpoint } from '#contract/endpoint.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import { useFailureToast, type Wording } from '#web/forms/use-failure-toast.ts';
import { type Toast, useToast } from '#web/ui/toast.tsx';

/**
 * Runs a write and shows its outcome in a toast: the one that it resolves with, or its failure's. Then refetches
 * `reads`. Resolves with its success.
 */
export function useAttempt() {
  const refresh = useRefresh();
  const toast = useToast();
  const toastFailure = useFailureToast();
  return async (write: () => Promise<Toast | undefined>, failure: Wording, ...reads: Endpoint[]): Promise<boolean> => {
    let isDone = false;
    try {
      const done = await write();
      if (done) toast(done);
      isDone = true;
    } catch (error) {
      toastFailure(error, failure);
    }
    await refresh(...reads);
    return isDone;
  };
}
