import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { WarningIcon } from './control-icons.tsx';
import { EmptyState } from './empty-state.tsx';
import { OfflineIcon } from './icons.tsx';
import { SkeletonRows } from './skeleton.tsx';

interface Query {
  isPending: boolean;
  isPaused: boolean;
  refetch: () => unknown;
}

/** Renders a query's data, or its state: loading, offline, or failed with another try. */
export function QueryState<T>({
  query,
  loading,
  skeleton,
  failure,
  children,
}: {
  query: Query & { data: T | undefined };
  loading: string;
  /** A placeholder in the final layout for data that is not a list; it shows `loading` itself. */
  skeleton?: ReactNode;
  failure: string;
  children: (data: T) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.isPaused)
    return (
      <EmptyState
        failed
        Icon={OfflineIcon}
        title="Vous êtes hors connexion. La page s’affichera au retour du réseau."
      />
    );
  if (query.isPending) return skeleton ?? <SkeletonRows text={loading} />;
  return (
    <EmptyState failed Icon={WarningIcon} title={failure}>
      <Button variant="plain" onClick={() => query.refetch()}>
        Réessayer
      </Button>
    </EmptyState>
  );
}
