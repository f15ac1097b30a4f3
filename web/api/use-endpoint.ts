import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Endpoint } from '#contract/endpoint.ts';
import type { InputOf } from './client.ts';
import { useCalls } from './use-call.ts';

interface Options {
  /** Milliseconds between polls; they pause while the tab is hidden. */
  pollEveryMs?: number;
  enabled?: boolean;
  /** Milliseconds after which an answer is asked for again when a screen opens; for ever unless told. */
  freshForMs?: number;
  /** Keeps showing the last answer while another input loads. */
  keepPrevious?: boolean;
}

/** Reads an endpoint and keeps its answer under its path and input. No retry, no refetch on focus. */
export function useEndpoint<E extends Endpoint>(endpoint: E, input: InputOf<E>, options: Options = {}) {
  const { call, userId } = useCalls();
  return useQuery({
    queryKey: [endpoint.path, userId, input],
    queryFn: () => call(endpoint, input),
    staleTime: options.freshForMs ?? Number.POSITIVE_INFINITY,
    ...(options.pollEveryMs && { refetchInterval: options.pollEveryMs, staleTime: 0 }),
    ...(options.enabled !== undefined && { enabled: options.enabled }),
    ...(options.keepPrevious && { placeholderData: keepPreviousData }),
  });
}

/** Asks again, now, for every answer of an endpoint that a screen shows. */
export function useRefresh() {
  const queries = useQueryClient();
  return useCallback(
    (...endpoints: Endpoint[]) =>
      Promise.all(endpoints.map((endpoint) => queries.invalidateQueries({ queryKey: [endpoint.path] }))),
    [queries],
  );
}
