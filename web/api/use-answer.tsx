import { createContext, type ReactNode, startTransition, use, useEffect, useMemo, useState } from 'react';
import type { Endpoint, ResponseOf } from '#contract/endpoint.ts';
import type { InputOf } from './client.ts';
import { useCall } from './use-call.ts';

type Answer<T> = { data: T; error?: undefined } | { data?: undefined; error: unknown };

interface Answers {
  /** First reads, under way or done. */
  asked: Map<string, Promise<Answer<unknown>>>;
  /** What refreshes have brought since. */
  fresh: ReadonlyMap<string, Answer<unknown>>;
  /** Keeps what a refresh brought, and has it drawn. */
  keep: (key: string, answer: Answer<unknown>) => void;
}

const AnswersContext = createContext<Answers | undefined>(undefined);

/**
 * Keeps what `useAnswer` read, as long as the app stands. It stands above the components that read: one that waits for its
 * first answer has no state of its own yet to keep it in.
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
 * Reads an endpoint that answers everybody alike, where React Query is not loaded: suspends until there is an answer, and keeps
 * it. A read that failed is tried again on the next visit.
 */
export function useAnswer<E extends Endpoint & { access: 'anyone' }>(
  endpoint: E,
  input: InputOf<E>,
): Answer<ResponseOf<E>> {
  const { asked, fresh } = useAnswers();
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

/** Replaces the drawn answer by one that was just written or read later. */
export function useKeepAnswer() {
  const { keep } = useAnswers();
  return <E extends Endpoint & { access: 'anyone' }>(endpoint: E, input: InputOf<E>, data: ResponseOf<E>) =>
    keep(keyOf(endpoint, input), { data });
}

function useAnswers(): Answers {
  const answers = use(AnswersContext);
  if (!answers) throw new Error('useAnswer must be used within an AnswersProvider');
  return answers;
}

const keyOf = (endpoint: Endpoint, input: object) => `${endpoint.path} ${JSON.stringify(input)}`;
