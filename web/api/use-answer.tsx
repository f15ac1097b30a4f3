import { createContext, type ReactNode, startTransition, use, useEffect, useMemo, useState } from 'react';
import type { Endpoint, ResponseOf } from '#contract/endpoint.ts';
import type { InputOf } from './client.ts';
import { useCall } from './use-call.ts';

type Answer<T> = { data: T; error?: undefined } | { data?: undefined; error: unknown };

interface Answers {
  asked: Map<string, Promise<Answer<unknown>>>;
  fresh: ReadonlyMap<string, Answer<unknown>>;
  /** Stores a refreshed answer and renders it. */
  keep: (key: string, answer: Answer<unknown>) => void;
}

/** The whole app has it. */
const AnswersContext = createContext({} as Answers);

/**
 * Caches the answers of `useAnswer` for the life of the app. It stands above the readers, because a suspended component
 * has no state.
 */
export function AnswersProvider({ children }: { children: ReactNode }) {
  const [asked] = useState<Answers['asked']>(() => new Map());
  const [fresh, setFresh] = useState<Answers['fresh']>(new Map());
  const answers = useMemo(
    () => ({
      asked,
      fresh,
      keep: (key: string, answer: Answer<unknown>) =>
        startTransition(() => setFresh((before) => new Map(before).set(key, answer))),
    }),
    [asked, fresh],
  );
  return <AnswersContext value={answers}>{children}</AnswersContext>;
}

/**
 * Reads an endpoint whose answer is the same for everyone, without React Query. Suspends until the first answer, then
 * caches it. A failed read is retried on the next visit.
 */
export function useAnswer<E extends Endpoint & { access: 'anyone' }>(
  endpoint: E,
  input: InputOf<E>,
): Answer<ResponseOf<E>> {
  const { asked, fresh } = use(AnswersContext);
  const call = useCall();
  const key = keyOf(endpoint, input);
  const first =
    asked.get(key) ??
    call(endpoint, input).then(
      (data): Answer<unknown> => ({ data }),
      (error: unknown): Answer<unknown> => ({ error }),
    );
  asked.set(key, first);
  const answer = fresh.get(key) ?? use(first);
  const failed = answer.error !== undefined;
  useEffect(() => {
    if (failed) return () => void asked.delete(key);
  }, [failed, asked, key]);
  return answer as Answer<ResponseOf<E>>;
}

/** Replaces the cached answer by a newer one. */
export function useKeepAnswer() {
  const { keep } = use(AnswersContext);
  return <E extends Endpoint & { access: 'anyone' }>(endpoint: E, input: InputOf<E>, data: ResponseOf<E>) =>
    keep(keyOf(endpoint, input), { data });
}

const keyOf = (endpoint: Endpoint, input: object) => `${endpoint.path} ${JSON.stringify(input)}`;
