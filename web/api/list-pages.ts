import type { Endpoint } from '#contract/endpoint.ts';
import { etagOf, withEtag } from './conditional-reads.ts';

/** The rows of a list that are known so far, newest first. */
export interface ListPages<Row> {
  rows: Row[];
  /** Whether the server has older ones. */
  hasMore: boolean;
  /** How many there are in all; `capped` when counting stopped at that. */
  total: number;
  capped: boolean;
}

export interface Page<Row> {
  rows: Row[];
  /** Rows that were asked for. */
  limit: number;
  total: number;
  capped: boolean;
}

/** All lists of an endpoint, as React Query finds them by their keys. */
export const listsOf = ({ path }: Endpoint) => ({
  predicate: ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[0] === path && queryKey.at(-1) === 'list',
});

/** The first page of what is known, as it was read. */
export function firstPageOf<Row>(known: ListPages<Row>, limit: number): Page<Row> {
  const { rows, total, capped } = known;
  return withEtag({ rows: rows.slice(0, limit), limit, total, capped }, etagOf(known));
}

/**
 * The list once its first page was read again. What stood after the last row of that page stays, since it was read before;
 * what stood above it and is not in the page is gone. When the page has nothing in common with what was known, more rows
 * have come than it holds: older ones are asked for again, so that none is missing in between.
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

/** The list with the row that was just made, which a repeated call may have brought before. */
export function withNewRow<Row extends { id: number }>(known: ListPages<Row>, made: Row): ListPages<Row> {
  if (known.rows.some((row) => row.id === made.id)) return known;
  return { ...known, rows: [made, ...known.rows], total: known.total + 1 };
}

/** The list with the page after `before`, its last row when that page was asked for; a page that no longer fits is dropped. */
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
