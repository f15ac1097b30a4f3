import { createContext, type Dispatch, type ReactNode, type SetStateAction, use, useEffect, useState } from 'react';
import type { Endpoint, ResponseOf } from '#contract/endpoint.ts';
import type { InputOf } from './client.ts';
import { useCall } from './use-call.ts';

type Answer<T> = { data: T; error?: undefined } | { data?: undefined; error: unknown };
type Answers = Map<string, Promise<Answer<unknown>>>;

/** The whole app has it. */
export const AnswersContext = createContext({} as unknown as [Answers, Dispatch<SetStateAction<Answers>>]);

/** Caches answers for the life of the app, above their readers: a suspended component has no state. */
export function AnswersProvider({ children }: { children: ReactNode }) {
  return <AnswersContext value={useState<Answers>(() => new Map())}>{children}</AnswersContext>;
}

/** Reads what is the same for everyone, without React Query. Suspends until the first answer; a failed read is retried on the next visit. */
export function useAnswer<E extends Endpoint & { access: 'anyone' }>(
  endpoint: E,
  input: InputOf<E>,
): Answer<ResponseOf<E>> {
  const [answers] = use(AnswersContext);
  const call = useCall();
  const key = keyOf(endpoint, input);
  const asked =
    answers.get(key) ??
    call(endpoint, input).then(
      (data): Answer<unknown> => ({ data }),
      (error: unknown): Answer<unknown> => ({ error }),
    );
  answers.set(key, asked);
  const answer = use(asked);
  const failed = answer.error !== undefined;
  useEffect(() => {
    if (failed) return () => void answers.delete(key);
  }, [failed, answers, key]);
  return answer as Answer<ResponseOf<E>>;
}

export const keyOf = (endpoint: Endpoint, input: object) => `${endpoint.path} ${JSON.stringify(input)}`;
