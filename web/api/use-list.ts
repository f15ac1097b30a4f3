import { type Query, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { Endpoint, ResponseOf } from '#contract/endpoint.ts';
import { addressOf, type InputOf } from './client.ts';
import { type Answer, readKept } from './kept-answers.ts';
import { rowsPerPage } from './limits.ts';
import { useCalls } from './use-call.ts';
import { type Options, readOf, whenToRead } from './use-endpoint.ts';

/** The known rows of a list, newest first. */
export interface ListPages<Row> {
  rows: Row[];
  hasMore: boolean;
  /** The total; `capped` if counting stopped there. */
  total: number;
  capped: boolean;
}

interface Page<Row> {
  rows: Row[];
  limit: number;
  total: number;
  capped: boolean;
}

type RowOf<E extends Endpoint> = ResponseOf<E> extends (infer Row extends { id: number })[] ? Row : never;

/** Reads a list of any length, newest first: its first page by polls, older ones by keyset on request. `input` has neither `limit` nor cursor. */
export function useList<E extends Endpoint>(
  endpoint: E,
  input: { params?: Record<string, string>; query?: Record<string, string | undefined> },
  {
    pageRows = rowsPerPage,
    cursor = 'before',
    ...options
  }: Pick<Options, 'pollEveryMs' | 'enabled' | 'keep'> & {
    pageRows?: number;
    /** The query's name of the last row's id. */
    cursor?: string;
  } = {},
) {
  type Row = RowOf<E>;
  const { read, userId } = useCalls();
  const queries = useQueryClient();
  const queryKey = [endpoint.path, userId, input, pageRows, 'list'] as const;
  const inputOf = (before?: number) => {
    const query = { ...input.query, limit: String(pageRows), ...(before && { [cursor]: String(before) }) };
    return { ...input, query, keep: options.keep && before === undefined } as object as InputOf<E>;
  };
  const pageOf = ({ data, total = 0, isCapped = false }: Answer<ResponseOf<E>>): Page<Row> => ({
    rows: data as Row[],
    limit: pageRows,
    total,
    capped: isCapped,
  });
  const first = useQuery<ListPages<Row>>({
    queryKey,
    queryFn: async () => {
      const page = pageOf(await read(endpoint, inputOf()));
      // Stored rows of an earlier visit may be outdated.
      const known = queries.getQueryState<ListPages<Row>>(queryKey);
      return withFirstPage(known?.dataUpdatedAt ? known.data : undefined, page);
    },
    ...whenToRead({ ...options, freshForMs: 0, keepPrevious: true }, () => {
      const kept = readKept<ResponseOf<E>>(userId, addressOf(endpoint, inputOf()));
      return kept && withFirstPage(undefined, pageOf(kept));
    }),
  });
  const [more, setMore] = useState<'idle' | 'loading' | 'failed'>('idle');
  const loadMore = async () => {
    const before = first.data?.rows.at(-1)?.id;
    if (before === undefined || more === 'loading') return;
    setMore('loading');
    try {
      const page = pageOf(await read(endpoint, inputOf(before)));
      queries.setQueryData<ListPages<Row>>(queryKey, (known) => known && withOlderPage(known, before, page));
      setMore('idle');
    } catch {
      setMore('failed');
    }
  };
  return { ...readOf(first), more, loadMore };
}

/** Changes every list of an endpoint at once, also below the polled page. */
function useChangeLists<E extends Endpoint>({ path }: E) {
  type Pages = ListPages<RowOf<E>>;
  const queries = useQueryClient();
  return useCallback(
    (change: (pages: Pages) => Pages) => {
      const predicate = ({ queryKey }: Query) => queryKey[0] === path && queryKey.at(-1) === 'list';
      queries.setQueriesData<Pages>({ predicate }, (known) => known && change(known));
    },
    [queries, path],
  );
}

/** Replaces changed rows in every list of an endpoint. */
export function useReplaceRows<E extends Endpoint>(endpoint: E) {
  const change = useChangeLists(endpoint);
  return useCallback(
    (rows: RowOf<E>[]) => {
      const changed = new Map(rows.map((row) => [row.id, row]));
      change((known) => ({ ...known, rows: known.rows.map((row) => changed.get(row.id) ?? row) }));
    },
    [change],
  );
}

/** Adds a newly created row at the head of every list of an endpoint, before the lists are read again. */
export function useAddRow<E extends Endpoint>(endpoint: E) {
  const change = useChangeLists(endpoint);
  return useCallback((made: RowOf<E>) => change((known) => withNewRow(known, made)), [change]);
}

/** Removes a deleted row from every list of an endpoint. */
export function useRemoveRow(endpoint: Endpoint) {
  const change = useChangeLists(endpoint);
  return useCallback(
    (id: number) => change((known) => ({ ...known, rows: known.rows.filter((row: { id: number }) => row.id !== id) })),
    [change],
  );
}

/** The list after its first page was read again. Where the page shares no row with it, the older rows are dropped, and read again on request. */
export function withFirstPage<Row extends { id: number }>(
  known: ListPages<Row> | undefined,
  { rows, limit, total, capped }: Page<Row>,
): ListPages<Row> {
  const isWhole = rows.length < limit;
  const place = known && !isWhole ? known.rows.findIndex((row) => row.id === rows.at(-1)?.id) : -1;
  if (!known || place === -1) return { rows, hasMore: !isWhole, total, capped };
  return { rows: [...rows, ...known.rows.slice(place + 1)], hasMore: known.hasMore, total, capped };
}

/** The list with a newly created row, which a repeated call may already have added. */
export function withNewRow<Row extends { id: number }>(known: ListPages<Row>, made: Row): ListPages<Row> {
  if (known.rows.some((row) => row.id === made.id)) return known;
  return { ...known, rows: [made, ...known.rows], total: known.total + 1 };
}

/** The list with the page after row `before`. A page that no longer fits is dropped. */
export function withOlderPage<Row extends { id: number }>(
  known: ListPages<Row>,
  before: number,
  { rows, limit }: Page<Row>,
): ListPages<Row> {
  if (known.rows.at(-1)?.id !== before) return known;
  const ids = new Set(known.rows.map((row) => row.id));
  const older = rows.filter((row) => !ids.has(row.id));
  return { ...known, rows: [...known.rows, ...older], hasMore: rows.length === limit };
}
