import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { PollJitterContext } from './poll-jitter.ts';
import { drawPace } from './polling.ts';

/** Keeps answers for as long as it is mounted. No retries, no refetch on focus, never stale by default (P23.3). */
export function QueryProvider({ children }: { children: ReactNode }) {
  const [client] = useState(
    () =>
      new QueryClient({
        defaultOptions: {
          queries: {
            retry: false,
            refetchOnWindowFocus: false,
            staleTime: Number.POSITIVE_INFINITY,
            // Each read compares for itself, and notes an ETag on what it keeps: see `conditional-reads.ts`.
            structuralSharing: false,
          },
          mutations: { retry: false },
        },
      }),
  );
  const [pace] = useState(drawPace);
  return (
    <QueryClientProvider client={client}>
      <PollJitterContext value={pace}>{children}</PollJitterContext>
    </QueryClientProvider>
  );
}
