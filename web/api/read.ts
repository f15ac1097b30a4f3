import type { UseQueryResult } from '@tanstack/react-query';

/** What a screen sees of what it reads. A poll that brings nothing new changes none of it, and so has nothing drawn again. */
export interface Read<T> {
  /** The newest answer, or what stands in for it. */
  data: T | undefined;
  /** There is no answer yet, and none is known to fail. */
  isPending: boolean;
  /** The last try failed. */
  isError: boolean;
  /** It waits for the network. */
  isPaused: boolean;
  /** Why the last try failed; only who looks at it is drawn again when it fails once more. */
  readonly error: unknown;
  refetch: () => unknown;
}

/** React Query draws a component again for what it reads of a result: this reads what changes with what is drawn. */
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
