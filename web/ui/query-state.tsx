import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { EmptyState } from './empty-state.tsx';
import { Loading } from './spinner.tsx';

interface Query {
  isPending: boolean;
  isError: boolean;
  fetchStatus: 'fetching' | 'paused' | 'idle';
  refetch: () => unknown;
}

/** Draws a query's data, or why there is none yet: loading, offline, or failed with another try. */
export function QueryState<T>({
  query,
  loading,
  failure,
  children,
}: {
  query: Query & { data: T | undefined };
  loading: string;
  failure: string;
  children: (data: T) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.fetchStatus === 'paused')
    return <EmptyState picture="📶" title="Vous êtes hors connexion. La page s’affichera au retour du réseau." />;
  if (query.isPending) return <Loading text={loading} />;
  return (
    <EmptyState picture="⚠️" title={failure}>
      <Button variant="plain" busy={query.fetchStatus === 'fetching'} onClick={() => query.refetch()}>
        Réessayer
      </Button>
    </EmptyState>
  );
}
