import { createContext, use } from 'react';

/** By what the periods of this page are multiplied: drawn once, so that each page keeps a beat of its own. */
export const PollJitterContext = createContext(1);

/** A period of `polling.ts` as this page keeps it, in milliseconds. */
export function usePeriod(everyMs: number | undefined): number | undefined {
  const pace = use(PollJitterContext);
  return everyMs && Math.round(everyMs * pace);
}
