import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { PollJitterContext } from './poll-jitter.ts';
import { drawJitter } from './polling.ts';

/** Caches answers while it is mounted. No retries, no refetch on focus, never stale by default (P23.3). */
export function QueryProvider({ children }: { children: ReactNode }) {
  const [client] = useState(
    () =>
      new QueryClient({
        defaultOptions: {
          queries: {
            retry: false,
            refetchOnWindowFocus: false,
            staleTime: Number.POSITIVE_INFINITY,
            // Each read compares answers itself and attaches their ETags: see `conditional-reads.ts`.
            structuralSharing: false,
          },
          mutations: { retry: false },
        },
      }),
  );
  const [jitter] = useState(drawJitter);
  return (
    <QueryClientProvider client={client}>
      <PollJitterContext value={jitter}>{children}</PollJitterContext>
    </QueryClientProvider>
  );
}
