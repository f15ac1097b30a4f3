import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { Endpoint, ResponseOf } from '#contract/endpoint.ts';
import type { InputOf } from './client.ts';
import { keep, readKept } from './kept-answers.ts';
import { rowsPerPage } from './limits.ts';
import { type ListPages, type Page, withFirstPage, withOlderPage } from './list-pages.ts';
import { useCalls } from './use-call.ts';

type RowOf<E extends Endpoint> = ResponseOf<E> extends (infer Row extends { id: number })[] ? Row : never;

/**
 * Reads a list that may be of any length, newest first: its first page again and again where told how often, older ones by
 * keyset when they are asked for. `input` is the call's, without `limit` and `before`.
 */
export function useList<E extends Endpoint>(
  endpoint: E,
  input: { params?: Record<string, string>; query?: Record<string, string | undefined> },
  options: {
    pollEveryMs?: number;
    enabled?: boolean;
    pageRows?: number;
    /** As of `useEndpoint`, for the first page. */
    keep?: boolean;
  } = {},
) {
  type Row = RowOf<E>;
  const { call, userId, whoIsIn } = useCalls();
  const owner = options.keep ? userId : undefined;
  const queries = useQueryClient();
  const limit = options.pageRows ?? rowsPerPage;
  const queryKey = [endpoint.path, userId, input, 'list'];
  const read = async (before?: number): Promise<Page<Row>> => {
    let headers = new Headers();
    const query = { ...input.query, limit: String(limit), ...(before && { before: String(before) }) };
    const onHeaders = (answered: Headers) => {
      headers = answered;
    };
    const whole: unknown = { ...input, query, onHeaders };
    const rows = (await call(endpoint, whole as InputOf<E>)) as Row[];
    const capped = headers.has('x-total-count-capped');
    return { rows, limit, total: Number(headers.get('x-total-count')), capped };
  };
  const first = useQuery({
    queryKey,
    queryFn: async () => {
      const page = await read();
      if (owner !== undefined && owner === whoIsIn())
        keep(owner, endpoint.path, input, withFirstPage<Row>(undefined, page));
      // Of what was kept on another visit nobody knows whether it still holds.
      const known = queries.getQueryState<ListPages<Row>>(queryKey);
      return withFirstPage(known?.dataUpdatedAt ? known.data : undefined, page);
    },
    staleTime: 0,
    refetchInterval: options.pollEveryMs ?? false,
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
      const page = await read(before);
      queries.setQueryData<ListPages<Row>>(queryKey, (known) => known && withOlderPage(known, before, page));
      setMore('idle');
    } catch {
      setMore('failed');
    }
  };
  return { ...first, more, loadMore };
}

/** Draws a changed row at once, in every list of an endpoint that shows it, further down than polls look too. */
export function useReplaceRows<E extends Endpoint>(endpoint: E) {
  const queries = useQueryClient();
  const { path } = endpoint;
  return useCallback(
    (rows: RowOf<E>[]) => {
      const changed = new Map(rows.map((row) => [row.id, row]));
      queries.setQueriesData<ListPages<RowOf<E>>>(
        { predicate: ({ queryKey }) => queryKey[0] === path && queryKey.at(-1) === 'list' },
        (known) => known && { ...known, rows: known.rows.map((row) => changed.get(row.id) ?? row) },
      );
    },
    [queries, path],
  );
}
