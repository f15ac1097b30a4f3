import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { Endpoint, ResponseOf } from '#contract/endpoint.ts';
import type { InputOf } from './client.ts';
import { asBefore, etagOf, readAgain, withEtag } from './conditional-reads.ts';
import { keep, readKept } from './kept-answers.ts';
import { rowsPerPage } from './limits.ts';
import {
  firstPageOf,
  type ListPages,
  listsOf,
  type Page,
  withFirstPage,
  withNewRow,
  withOlderPage,
} from './list-pages.ts';
import { usePeriod } from './poll-jitter.ts';
import { readOf } from './read.ts';
import { useCalls } from './use-call.ts';

type RowOf<E extends Endpoint> = ResponseOf<E> extends (infer Row extends { id: number })[] ? Row : never;

/**
 * Reads a list of any length, newest first: its first page at the given poll period, older pages by keyset on request.
 * `input` is the call's, without `limit` and the cursor.
 */
export function useList<E extends Endpoint>(
  endpoint: E,
  input: { params?: Record<string, string>; query?: Record<string, string | undefined> },
  options: {
    pollEveryMs?: number;
    enabled?: boolean;
    pageRows?: number;
    /** `keep` of `useEndpoint`, for the first page. */
    keep?: boolean;
    /** The query's name of the last row's id; `before` by default. */
    cursor?: string;
  } = {},
) {
  type Row = RowOf<E>;
  const { call, userId, currentUserId } = useCalls();
  const owner = options.keep ? userId : undefined;
  const queries = useQueryClient();
  const limit = options.pageRows ?? rowsPerPage;
  // Each page length has its own ETag.
  const queryKey = [endpoint.path, userId, input, limit, 'list'];
  const everyMs = usePeriod(options.pollEveryMs);
  /** Reads a page; the first one conditionally, while these pages begin with it. */
  const read = async (known?: ListPages<Row>, before?: number): Promise<Page<Row>> => {
    const query = {
      ...input.query,
      limit: String(limit),
      ...(before && { [options.cursor ?? 'before']: String(before) }),
    };
    const whole: unknown = { ...input, query };
    const answered = await readAgain(call, endpoint, whole as InputOf<E>, known);
    if ('same' in answered) return firstPageOf(answered.same, limit);
    const { answer, headers } = answered;
    const capped = headers.has('x-total-count-capped');
    const total = Number(headers.get('x-total-count'));
    return withEtag({ rows: answer as Row[], limit, total, capped }, headers.get('etag'));
  };
  const first = useQuery({
    queryKey,
    queryFn: async () => {
      const page = await read(queries.getQueryData<ListPages<Row>>(queryKey));
      const tagged = (pages: ListPages<Row>) => withEtag(pages, etagOf(page));
      if (owner !== undefined && owner === currentUserId())
        keep(owner, endpoint.path, input, tagged(withFirstPage(undefined, page)));
      const known = queries.getQueryState<ListPages<Row>>(queryKey);
      // Stored rows of an earlier visit may be outdated.
      return asBefore(known?.data, tagged(withFirstPage(known?.dataUpdatedAt ? known.data : undefined, page)));
    },
    staleTime: 0,
    ...(everyMs && { refetchInterval: everyMs, refetchOnWindowFocus: true }),
    placeholderData: keepPreviousData,
    ...(owner !== undefined && {
      initialData: () => readKept<ListPages<Row>>(owner, endpoint.path, input),
      initialDataUpdatedAt: 0,
    }),
    ...(options.enabled !== undefined && { enabled: options.enabled }),
  });
  const [more, setMore] = useState<'idle' | 'loading' | 'failed'>('idle');
  const loadMore = async () => {
    const before = first.data?.rows.at(-1)?.id;
    if (before === undefined || more === 'loading') return;
    setMore('loading');
    try {
      const page = await read(undefined, before);
      queries.setQueryData<ListPages<Row>>(queryKey, (known) => known && withOlderPage(known, before, page));
      setMore('idle');
    } catch {
      setMore('failed');
    }
  };
  return { ...readOf(first), more, loadMore };
}

/** Replaces a changed row at once in every list of an endpoint, also below the polled page. */
export function useReplaceRows<E extends Endpoint>(endpoint: E) {
  const queries = useQueryClient();
  return useCallback(
    (rows: RowOf<E>[]) => {
      const changed = new Map(rows.map((row) => [row.id, row]));
      queries.setQueriesData<ListPages<RowOf<E>>>(listsOf(endpoint), (known) =>
        known?.rows.some((row) => changed.has(row.id))
          ? { ...known, rows: known.rows.map((row) => changed.get(row.id) ?? row) }
          : known,
      );
    },
    [queries, endpoint],
  );
}

/** Adds a newly created row at the head of every list of an endpoint, before the lists are read again. */
export function useAddRow<E extends Endpoint>(endpoint: E) {
  const queries = useQueryClient();
  return useCallback(
    (made: RowOf<E>) => {
      queries.setQueriesData<ListPages<RowOf<E>>>(listsOf(endpoint), (known) => known && withNewRow(known, made));
    },
    [queries, endpoint],
  );
}

/** Removes a deleted row at once from every list of an endpoint, also below the polled page. */
export function useRemoveRow(endpoint: Endpoint) {
  const queries = useQueryClient();
  return useCallback(
    (id: number) => {
      queries.setQueriesData<ListPages<{ id: number }>>(listsOf(endpoint), (known) =>
        known?.rows.some((row) => row.id === id)
          ? { ...known, rows: known.rows.filter((row) => row.id !== id) }
          : known,
      );
    },
    [queries, endpoint],
  );
}
