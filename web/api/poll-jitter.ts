import { createContext, use } from 'react';

/** A factor on the poll periods of this page, drawn once, so that pages do not poll in step. */
export const PollJitterContext = createContext(1);

/** A period of `polling.ts` with this page's jitter, in milliseconds. */
export function usePeriod(everyMs: number | undefined): number | undefined {
  const jitter = use(PollJitterContext);
  return everyMs && Math.round(everyMs * jitter);
}
