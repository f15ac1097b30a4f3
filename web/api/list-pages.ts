import type { Endpoint } from '#contract/endpoint.ts';
import { etagOf, withEtag } from './conditional-reads.ts';

/** The known rows of a list, newest first. */
export interface ListPages<Row> {
  rows: Row[];
  hasMore: boolean;
  /** The total; `capped` if counting stopped there. */
  total: number;
  capped: boolean;
}

export interface Page<Row> {
  rows: Row[];
  limit: number;
  total: number;
  capped: boolean;
}

/** The React Query filter for all lists of an endpoint. */
export const listsOf = ({ path }: Endpoint) => ({
  predicate: ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[0] === path && queryKey.at(-1) === 'list',
});

/** The first page of the known rows. */
export function firstPageOf<Row>(known: ListPages<Row>, limit: number): Page<Row> {
  const { rows, total, capped } = known;
  return withEtag({ rows: rows.slice(0, limit), limit, total, capped }, etagOf(known));
}

/**
 * The list after its first page was read again. Rows below that page stay; rows above its end that it lacks are
 * removed. If the page shares no row with the list, newer rows fill it completely. The older rows are then read again,
 * so that none is missing.
 */
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
