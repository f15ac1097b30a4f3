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
  /** Milliseconds between polls; they pause in a hidden tab and resume at once when it is visible. */
  pollEveryMs?: number;
  enabled?: boolean;
  /** Milliseconds for which an answer stays fresh when a screen opens again; unlimited by default. */
  freshForMs?: number;
  /** Stores the last answer in this browser. The person's next visit draws it at once, also offline. */
  keep?: boolean;
  /** Keeps showing the last answer while another input loads. */
  keepPrevious?: boolean;
}

/** The React Query options of an endpoint, for `useEndpoint` and for screens with several queries. */
export function endpointQuery<E extends Endpoint>(
  { call, userId, currentUserId }: Calls,
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
      if (owner !== undefined && owner === currentUserId()) keep(owner, endpoint.path, input, data);
      return data;
    },
    staleTime: options.freshForMs ?? (owner === undefined ? Number.POSITIVE_INFINITY : 0),
    ...(owner !== undefined && {
      initialData: () => readKept<ResponseOf<E>>(owner, endpoint.path, input),
      // From an earlier visit, hence stale.
      initialDataUpdatedAt: 0,
    }),
    ...(options.pollEveryMs && { refetchInterval: options.pollEveryMs, refetchOnWindowFocus: true, staleTime: 0 }),
    ...(options.enabled !== undefined && { enabled: options.enabled }),
    ...(options.keepPrevious && { placeholderData: keepPreviousData }),
  };
  return query;
}

/** Reads an endpoint and caches its answer by path and input. No retry; refetch on focus only for polled endpoints. */
export function useEndpoint<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  options: Options = {},
): Read<ResponseOf<E>> {
  const pollEveryMs = usePeriod(options.pollEveryMs);
  return readOf(useQuery(endpointQuery(useCalls(), endpoint, input, { ...options, pollEveryMs })));
}

/** Refetches every displayed answer of an endpoint. */
export function useRefresh() {
  const queries = useQueryClient();
  return useCallback(
    (...endpoints: Endpoint[]) =>
      Promise.all(endpoints.map((endpoint) => queries.invalidateQueries({ queryKey: [endpoint.path] }))),
    [queries],
  );
}
