import {
  keepPreviousData,
  type UseQueryOptions,
  type UseQueryResult,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Endpoint, ResponseOf } from '#contract/endpoint.ts';
import type { InputOf } from './client.ts';
import { type Known, keep, readKept } from './kept-answers.ts';
import { periodOf } from './polling.ts';
import { type ApiCall, type Calls, useCalls } from './use-call.ts';

export interface Options {
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

/** Reads an endpoint, what is known by its ETag: then without headers if the server confirmed it. Throws as calls do. */
export async function readAgain<E extends Endpoint>(
  call: ApiCall,
  endpoint: E,
  input: InputOf<E>,
  known: Known<ResponseOf<E>> | undefined,
): Promise<Known<ResponseOf<E>> & { headers: Headers | undefined }> {
  let headers: Headers | undefined;
  const data = await call(endpoint, {
    ...input,
    ...(known?.etag && { known: { etag: known.etag, answer: known.data } }),
    onHeaders: (answered) => {
      headers = answered;
    },
  });
  return { data, etag: headers ? (headers.get('etag') ?? undefined) : known?.etag, headers };
}

/** The React Query options for what `read` reads, given what is known; the browser stores what `toKeep` returns of it. */
export function knownQuery<T>(
  { userId, currentUserId }: Calls,
  queryKey: readonly [path: string, userId: number | undefined, input: object, ...rest: unknown[]],
  { pollEveryMs, freshForMs, enabled, keepPrevious, ...options }: Options,
  read: (known: Known<T> | undefined, newest: () => Known<T> | undefined) => Promise<Known<T>>,
  toKeep = (data: T) => data,
): UseQueryOptions<Known<T>, Error, T> {
  const [path, , input] = queryKey;
  const owner = options.keep ? userId : undefined;
  return {
    queryKey,
    queryFn: async ({ client }) => {
      const newest = () => client.getQueryData<Known<T>>(queryKey);
      const { data, etag } = await read(newest(), newest);
      if (owner !== undefined && owner === currentUserId()) keep(owner, path, input, { data: toKeep(data), etag });
      return { data, etag };
    },
    select: ({ data }) => data,
    staleTime: freshForMs ?? (owner === undefined && !pollEveryMs ? Number.POSITIVE_INFINITY : 0),
    ...(owner !== undefined && {
      initialData: () => readKept<T>(owner, path, input),
      // From an earlier visit, hence stale.
      initialDataUpdatedAt: 0,
    }),
    ...(pollEveryMs && { refetchInterval: periodOf(pollEveryMs), refetchOnWindowFocus: true }),
    ...(enabled !== undefined && { enabled }),
    ...(keepPrevious && { placeholderData: keepPreviousData }),
  };
}

/** The React Query options of an endpoint, for `useEndpoint` and for screens with several queries. */
export const endpointQuery = <E extends Endpoint>(
  calls: Calls,
  endpoint: E,
  input: InputOf<E>,
  options: Options = {},
) =>
  knownQuery<ResponseOf<E>>(calls, [endpoint.path, calls.userId, input], options, (known) =>
    readAgain(calls.call, endpoint, input, known),
  );

/** A screen's view of a query. A poll without news changes no property, and so renders nothing. */
interface Read<T> {
  /** The newest answer, or its placeholder. */
  data: T | undefined;
  /** No answer yet, and no failure. */
  isPending: boolean;
  isError: boolean;
  /** Waiting for the network. */
  isPaused: boolean;
  /** The error of the last try; only components that read it render again on the next failure. */
  readonly error: unknown;
  refetch: () => unknown;
}

/** React Query renders a component again when a property that it read changes: this reads the visible ones only. */
export function readOf<T>(result: UseQueryResult<T>): Read<T> {
  return {
    data: result.data,
    isPending: result.isPending,
    isError: result.isError,
    isPaused: result.isPaused,
    get error() {
      return result.error;
    },
    refetch: result.refetch,
  };
}

/** Reads an endpoint and caches its answer by path and input. No retry; refetch on focus only for polled endpoints. */
export function useEndpoint<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  options: Options = {},
): Read<ResponseOf<E>> {
  return readOf(useQuery(endpointQuery(useCalls(), endpoint, input, options)));
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
