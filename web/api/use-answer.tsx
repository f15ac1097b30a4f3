import { createContext, type ReactNode, startTransition, use, useCallback, useEffect, useState } from 'react';
import type { Endpoint, ResponseOf } from '#contract/endpoint.ts';
import type { InputOf } from './client.ts';
import { useCall } from './use-call.ts';

type Answer<T> = { data: T; error?: undefined } | { data?: undefined; error: unknown };
type Answers = Map<string, Promise<Answer<unknown>>>;

/** The whole app has it. */
const AnswersContext = createContext(
  {} as { answers: Answers; replace: (change: (before: Answers) => Answers) => void },
);

/** Caches answers for the life of the app, above their readers: a suspended component has no state. */
export function AnswersProvider({ children }: { children: ReactNode }) {
  const [answers, replace] = useState<Answers>(() => new Map());
  return <AnswersContext value={{ answers, replace }}>{children}</AnswersContext>;
}

/** Reads what is the same for everyone, without React Query. Suspends until the first answer; a failed read is retried on the next visit. */
export function useAnswer<E extends Endpoint & { access: 'anyone' }>(
  endpoint: E,
  input: InputOf<E>,
): Answer<ResponseOf<E>> {
  const { answers } = use(AnswersContext);
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

/** Replaces the cached answer by a newer one. */
export function useKeepAnswer() {
  const { replace } = use(AnswersContext);
  return useCallback(
    <E extends Endpoint & { access: 'anyone' }>(endpoint: E, input: InputOf<E>, data: ResponseOf<E>) =>
      startTransition(() =>
        replace((before) => new Map(before).set(keyOf(endpoint, input), Promise.resolve({ data }))),
      ),
    [replace],
  );
}

const keyOf = (endpoint: Endpoint, input: object) => `${endpoint.path} ${JSON.stringify(input)}`;
