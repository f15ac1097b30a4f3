import { keepPreviousData, type UseQueryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Endpoint, ResponseOf } from '#contract/endpoint.ts';
import type { InputOf } from './client.ts';
import { asBefore, readAgain, withEtag } from './conditional-reads.ts';
import { keep, readKept } from './kept-answers.ts';
import { usePeriod } from './poll-jitter.ts';
import { type Read, readOf } from './read.ts';
import { type Calls, useCalls } from './use-call.ts';

interface Options {
  /** Milliseconds between polls; they pause while the tab is hidden, and go on at once when it is seen again. */
  pollEveryMs?: number;
  enabled?: boolean;
  /** Milliseconds after which an answer is asked for again when a screen opens; for ever by default. */
  freshForMs?: number;
  /** Keeps the last answer in this browser, where this person's next visit draws it at once, and without a line. */
  keep?: boolean;
  /** Keeps showing the last answer while another input loads. */
  keepPrevious?: boolean;
}

/** How React Query reads an endpoint for `useEndpoint`, and for a screen that reads several at once. */
export function endpointQuery<E extends Endpoint>(
  { call, userId, whoIsIn }: Calls,
  endpoint: E,
  input: InputOf<E>,
  options: Options = {},
) {
  const owner = options.keep ? userId : undefined;
  const query: UseQueryOptions<ResponseOf<E>> = {
    queryKey: [endpoint.path, userId, input],
    queryFn: async ({ client, queryKey }) => {
      const now = () => client.getQueryData<ResponseOf<E> & object>(queryKey);
      const read = await readAgain(call, endpoint, input, now());
      const data = 'same' in read ? read.same : asBefore(now(), withEtag(read.answer, read.headers.get('etag')));
      if (owner !== undefined && owner === whoIsIn()) keep(owner, endpoint.path, input, data);
      return data;
    },
    staleTime: options.freshForMs ?? (owner === undefined ? Number.POSITIVE_INFINITY : 0),
    ...(owner !== undefined && {
      initialData: () => readKept<ResponseOf<E>>(owner, endpoint.path, input),
      // Of another visit: it is asked for again.
      initialDataUpdatedAt: 0,
    }),
    ...(options.pollEveryMs && { refetchInterval: options.pollEveryMs, refetchOnWindowFocus: true, staleTime: 0 }),
    ...(options.enabled !== undefined && { enabled: options.enabled }),
    ...(options.keepPrevious && { placeholderData: keepPreviousData }),
  };
  return query;
}

/** Reads an endpoint and keeps its answer under its path and input. No retry; of what is not polled no refetch on focus. */
export function useEndpoint<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  options: Options = {},
): Read<ResponseOf<E>> {
  const pollEveryMs = usePeriod(options.pollEveryMs);
  return readOf(useQuery(endpointQuery(useCalls(), endpoint, input, { ...options, pollEveryMs })));
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
