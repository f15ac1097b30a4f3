import { type Query, replaceEqualDeep, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { Endpoint, ResponseOf } from '#contract/endpoint.ts';
import type { InputOf } from './client.ts';
import type { Known } from './kept-answers.ts';
import { rowsPerPage } from './limits.ts';
import { useCalls } from './use-call.ts';
import { knownQuery, type Options, readAgain, readOf } from './use-endpoint.ts';

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
  const calls = useCalls();
  const queries = useQueryClient();
  // Each page length has its own ETag.
  const queryKey = [endpoint.path, calls.userId, input, pageRows, 'list'] as const;
  /** Reads a page; the first one by the ETag of the known rows. Undefined where the server confirmed it. */
  const read = async (known?: Known<ListPages<Row>>, before?: number) => {
    const query = { ...input.query, limit: String(pageRows), ...(before && { [cursor]: String(before) }) };
    const rows = known && { data: known.data.rows as ResponseOf<E>, etag: known.etag };
    const { data, etag, headers } = await readAgain(calls.call, endpoint, { ...input, query } as InputOf<E>, rows);
    if (!headers) return undefined;
    const total = Number(headers.get('x-total-count'));
    const capped = headers.has('x-total-count-capped');
    return { page: { rows: data as Row[], limit: pageRows, total, capped }, etag };
  };
  const first = useQuery(
    knownQuery<ListPages<Row>>(
      calls,
      queryKey,
      { ...options, freshForMs: 0, keepPrevious: true },
      async (known, newest) => {
        const answer = await read(known);
        const now = newest();
        if (!answer) return now ?? (known as Known<ListPages<Row>>);
        // Stored rows of an earlier visit may be outdated.
        const isOfThisVisit = queries.getQueryState(queryKey)?.dataUpdatedAt;
        return { data: withFirstPage(isOfThisVisit ? now?.data : undefined, answer.page), etag: answer.etag };
      },
      (pages) =>
        pages.rows.length > pageRows ? { ...pages, rows: pages.rows.slice(0, pageRows), hasMore: true } : pages,
    ),
  );
  const [more, setMore] = useState<'idle' | 'loading' | 'failed'>('idle');
  const loadMore = async () => {
    const before = first.data?.rows.at(-1)?.id;
    if (before === undefined || more === 'loading') return;
    setMore('loading');
    try {
      const answer = await read(undefined, before);
      queries.setQueryData<Known<ListPages<Row>>>(
        queryKey,
        (known) => known && answer && { ...known, data: withOlderPage(known.data, before, answer.page) },
      );
      setMore('idle');
    } catch {
      setMore('failed');
    }
  };
  return { ...readOf(first), more, loadMore };
}

/** Changes every list of an endpoint at once, also below the polled page. What changed is read whole again. */
function useChangeLists<E extends Endpoint>({ path }: E) {
  type Pages = ListPages<RowOf<E>>;
  const queries = useQueryClient();
  return useCallback(
    (change: (pages: Pages) => Pages) => {
      const predicate = ({ queryKey }: Query) => queryKey[0] === path && queryKey.at(-1) === 'list';
      queries.setQueriesData<Known<Pages>>({ predicate }, (known) => {
        if (!known) return undefined;
        const data = replaceEqualDeep(known.data, change(known.data));
        return data === known.data ? known : { data };
      });
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
