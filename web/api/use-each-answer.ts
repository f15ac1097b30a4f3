import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { Endpoint } from '#contract/endpoint.ts';

/** Hands on each answer that arrives for one of the endpoints, whichever screen reads it; not what an earlier visit stored. */
export function useEachAnswer(endpoints: readonly Endpoint[], onAnswer: (data: unknown) => void): void {
  const queries = useQueryClient();
  const hand = useEffectEvent(onAnswer);
  useEffect(
    () =>
      queries.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'success') return;
        if (endpoints.some(({ path }) => path === event.query.queryKey[0])) hand(event.query.state.data);
      }),
    [queries, endpoints],
  );
}
