import { keepPreviousData, type UseQueryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { Endpoint, ResponseOf } from '#contract/endpoint.ts';
import { addressOf, type InputOf } from './client.ts';
import { readKept } from './kept-answers.ts';
import { periodOf } from './polling.ts';
import { useCalls } from './use-call.ts';

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

/** The React Query options for when to read; `kept` is what an earlier visit stored. */
export function whenToRead<T>(
  { pollEveryMs, freshForMs, enabled, keepPrevious, keep }: Options,
  kept: () => T | undefined,
): Omit<UseQueryOptions<T>, 'queryKey' | 'queryFn'> {
  return {
    staleTime: freshForMs ?? (keep || pollEveryMs ? 0 : Number.POSITIVE_INFINITY),
    // From an earlier visit, hence stale.
    ...(keep && { initialData: kept, initialDataUpdatedAt: 0 }),
    ...(pollEveryMs && { refetchInterval: periodOf(pollEveryMs), refetchOnWindowFocus: true }),
    ...(enabled !== undefined && { enabled }),
    ...(keepPrevious && { placeholderData: keepPreviousData as (before: T | undefined) => T | undefined }),
  } as Omit<UseQueryOptions<T>, 'queryKey' | 'queryFn'>;
}

/** A screen's view of a query. A poll without news changes no property, and so renders nothing. */
interface Read<T> {
  /** The newest answer, or its placeholder. */
  data: T | undefined;
  /** `data` is of an earlier visit, and was not read again yet. */
  readonly isKept: boolean;
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
    get isKept() {
      return result.dataUpdatedAt === 0;
    },
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
  const { call, userId } = useCalls();
  const { keep } = options;
  const query = useQuery({
    queryKey: [endpoint.path, userId, input],
    queryFn: () => call(endpoint, { ...input, keep }),
    ...whenToRead(options, () => readKept<ResponseOf<E>>(userId, addressOf(endpoint, input))?.data),
  });
  return readOf(query);
}
