import { createContext, use } from 'react';
import type { Endpoint, ResponseOf } from '#contract/endpoint.ts';
import type { InputOf } from './client.ts';

/** Calls an endpoint as the signed-in person. Throws `ApiError` for a refusal and `NoAnswer` when there was none. */
export type ApiCall = <E extends Endpoint>(endpoint: E, input: InputOf<E>) => Promise<ResponseOf<E>>;

export interface Calls {
  call: ApiCall;
  /** The caller, so that an answer kept for another person is not shown. */
  userId: number | undefined;
  /** Who is signed in by now, when an answer comes: what was asked before they came in is not kept as theirs. */
  whoIsIn: () => number | undefined;
}

/** How calls are made; the session provides it, which knows who makes them. */
export const ApiContext = createContext<Calls | undefined>(undefined);

export function useCalls(): Calls {
  const calls = use(ApiContext);
  if (!calls) throw new Error('useCall must be used within an AuthProvider');
  return calls;
}

export function useCall(): ApiCall {
  return useCalls().call;
}
