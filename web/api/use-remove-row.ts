import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Endpoint } from '#contract/endpoint.ts';
import { type ListPages, listsOf } from './list-pages.ts';

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
