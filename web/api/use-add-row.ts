import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Endpoint } from '#contract/endpoint.ts';
import { type ListPages, listsOf, withNewRow } from './list-pages.ts';
import type { RowOf } from './use-list.ts';

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
