import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { FailedRead } from './failed-read.tsx';
import { SkeletonRows } from './skeleton.tsx';

interface Query {
  isPending: boolean;
  isPaused: boolean;
  error: unknown;
  refetch: () => unknown;
}

/** Renders a query's data, or its state: loading, offline, or failed with another try. */
export function QueryState<T>({
  query,
  loading,
  skeleton,
  failure,
  empty,
  inline,
  children,
}: {
  query: Query & { data: T | undefined };
  loading: string;
  /** A placeholder in the final layout for data that is not a list; it shows `loading` itself. */
  skeleton?: ReactNode;
  failure: string;
  /** Replaces a list without rows. */
  empty?: ReactNode;
  /** A failure is one line, in a part of a screen. */
  inline?: boolean;
  children: (data: T) => ReactNode;
}) {
  if (query.data !== undefined) return empty && isEmptyList(query.data) ? empty : children(query.data);
  if (query.isPending && !query.isPaused) return skeleton ?? <SkeletonRows text={loading} />;
  const { error, isPaused } = query;
  return (
    <FailedRead title={failure} error={error} isOffline={isPaused} inline={inline} onRetry={() => query.refetch()} />
  );
}

function isEmptyList(data: unknown): boolean {
  const rows = typeof data === 'object' && data && 'rows' in data ? data.rows : data;
  return Array.isArray(rows) && rows.length === 0;
}

/** The end of a longer list: a button for more, or for another try after a failure. */
export function ListFoot({
  hasMore,
  more,
  onMore,
}: {
  hasMore: boolean;
  more: 'idle' | 'loading' | 'failed';
  onMore: () => void;
}) {
  if (!hasMore) return null;
  return (
    <div className="mt-4 flex flex-col gap-2">
      <p role="alert" className="text-center text-brick empty:hidden">
        {more === 'failed' && "La suite n'a pas pu être chargée."}
      </p>
      <Button variant="plain" className="w-full" busy={more === 'loading'} onClick={onMore}>
        {more === 'failed' ? 'Réessayer' : 'Afficher plus'}
      </Button>
    </div>
  );
}
