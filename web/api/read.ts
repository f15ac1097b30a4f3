import type { UseQueryResult } from '@tanstack/react-query';

/** A screen's view of a query. A poll without news changes no property, and so renders nothing. */
export interface Read<T> {
  /** The newest answer, or its placeholder. */
  data: T | undefined;
  /** No answer yet, and no failure. */
  isPending: boolean;
  isError: boolean;
  /** Waiting for the network. */
  isPaused: boolean;
  /** The error of the last try; only components that read it render again on the next failure. */
  readonly error: unknown;
  refetch: () => unknown;
}

/** React Query renders a component again when a property that it read changes: this reads the visible ones only. */
export function readOf<T>(result: UseQueryResult<T>): Read<T> {
  return {
    data: result.data,
    isPending: result.isPending,
    isError: result.isError,
    isPaused: result.isPaused,
    get error() {
      return result.error;
    },
    refetch: result.refetch,
  };
}
