import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useCallback, useState } from 'react';
import type { Endpoint } from '#contract/endpoint.ts';
import { RefreshContext } from './use-refresh.ts';

/** Caches answers while it is mounted. No retries, no refetch on focus, never stale by default (P23.3). */
export function QueryProvider({ children }: { children: ReactNode }) {
  const [client] = useState(
    () =>
      new QueryClient({
        defaultOptions: {
          queries: { retry: false, refetchOnWindowFocus: false, staleTime: Number.POSITIVE_INFINITY },
          mutations: { retry: false },
        },
      }),
  );
  const refresh = useCallback(
    (...endpoints: readonly Endpoint[]) =>
      Promise.all(endpoints.map(({ path }) => client.invalidateQueries({ queryKey: [path] }))),
    [client],
  );
  return (
    <QueryClientProvider client={client}>
      <RefreshContext value={refresh}>{children}</RefreshContext>
    </QueryClientProvider>
  );
}
