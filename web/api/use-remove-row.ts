import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Endpoint } from '#contract/endpoint.ts';
import { type ListPages, listsOf } from './list-pages.ts';

/** Takes a row that is gone out of every list of an endpoint that shows it, at once and further down than polls look. */
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
