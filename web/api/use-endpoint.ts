import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Endpoint } from '#contract/endpoint.ts';
import type { InputOf } from './client.ts';
import { useAuth } from './session.tsx';

interface Options {
  /** Milliseconds between polls; they pause while the tab is hidden. */
  pollEvery?: number;
  enabled?: boolean;
  /** Milliseconds after which an answer is asked for again when a screen opens; for ever unless told. */
  freshFor?: number;
  /** Keeps showing the last answer while another input loads. */
  keepPrevious?: boolean;
}

/** Reads an endpoint and keeps its answer under its path and input. No retry, no refetch on focus. */
export function useEndpoint<E extends Endpoint>(endpoint: E, input: InputOf<E>, options: Options = {}) {
  const { call, user } = useAuth();
  return useQuery({
    queryKey: [endpoint.path, user?.id, input],
    queryFn: () => call(endpoint, input),
    staleTime: options.freshFor ?? Number.POSITIVE_INFINITY,
    ...(options.pollEvery && { refetchInterval: options.pollEvery, staleTime: 0 }),
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
