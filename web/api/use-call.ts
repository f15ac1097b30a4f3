import { createContext, use } from 'react';
import type { Endpoint, ResponseOf } from '#contract/endpoint.ts';
import type { InputOf } from './client.ts';
import type { Answer } from './kept-answers.ts';

/** Calls an endpoint as the signed-in person. Throws `ApiError` for a refusal, `NoAnswer` without an answer. */
export type ApiCall = <E extends Endpoint>(endpoint: E, input: InputOf<E>) => Promise<ResponseOf<E>>;

export interface Calls {
  call: ApiCall;
  /** As `call`, and what came with the answer. */
  read: <E extends Endpoint>(endpoint: E, input: InputOf<E>) => Promise<Answer<ResponseOf<E>>>;
  /** The caller, so that another person's cached answer is not shown. */
  userId: number | undefined;
  /** The person signed in when an answer arrives: an earlier person's answer is not stored as theirs. */
  currentUserId: () => number | undefined;
}

/** The session provides calls, made in the name of its person, to the whole app. */
export const ApiContext = createContext({} as Calls);

export function useCalls(): Calls {
  return use(ApiContext);
}

export function useCall(): ApiCall {
  return useCalls().call;
}
