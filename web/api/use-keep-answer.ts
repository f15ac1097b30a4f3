import { startTransition, use, useCallback } from 'react';
import type { Endpoint, ResponseOf } from '#contract/endpoint.ts';
import type { InputOf } from './client.ts';
import { AnswersContext, keyOf } from './use-answer.tsx';

/** Replaces the answer of `useAnswer` by a newer one. Apart from it, since no first screen does that. */
export function useKeepAnswer() {
  const [, replace] = use(AnswersContext);
  return useCallback(
    <E extends Endpoint & { access: 'anyone' }>(endpoint: E, input: InputOf<E>, data: ResponseOf<E>) =>
      startTransition(() =>
        replace((before) => new Map(before).set(keyOf(endpoint, input), Promise.resolve({ data }))),
      ),
    [replace],
  );
}
