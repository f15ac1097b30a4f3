import { useEffect, useEffectEvent, useState } from 'react';
import type { Endpoint, ResponseOf } from '#contract/endpoint.ts';
import type { InputOf } from './client.ts';
import { drawPace } from './polling.ts';
import { useAnswer, useKeepAnswer } from './use-answer.tsx';
import { useCall } from './use-call.ts';

/**
 * Polls the answer that `useAnswer` reads while the page is visible, and at once when it becomes visible again. The drawn
 * answer stays until a new one is there. A file of its own, so that the first screen does not load it.
 */
export function useRefreshedAnswer<E extends Endpoint & { access: 'anyone' }>(
  endpoint: E,
  input: InputOf<E>,
  everyMs: number,
): void {
  const call = useCall();
  const keep = useKeepAnswer();
  const drawn = useAnswer(endpoint, input).data;
  const [pace] = useState(drawPace);
  const draw = useEffectEvent((answer: ResponseOf<E>) => {
    if (JSON.stringify(answer) !== JSON.stringify(drawn)) keep(endpoint, input, answer);
  });
  const ask = useEffectEvent(async (known: { etag: string; answer: ResponseOf<E> } | undefined) => {
    let etag = known?.etag ?? null;
    const onHeaders = (headers: Headers) => {
      etag = headers.get('etag');
    };
    const answer = await call(endpoint, { ...input, onHeaders, ...(known && { known }) });
    return { answer, known: etag ? { etag, answer } : undefined };
  });

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isAsking = false;
    let known: Parameters<typeof ask>[0];
    const look = async () => {
      clearTimeout(timer);
      if (document.hidden || isAsking) return;
      isAsking = true;
      try {
        const read = await ask(known);
        known = read.known;
        draw(read.answer);
      } catch {
        // What is drawn stays.
      }
      isAsking = false;
      wait();
    };
    const wait = () => {
      if (!hasLeft) timer = setTimeout(look, everyMs * pace);
    };
    let hasLeft = false;
    wait();
    document.addEventListener('visibilitychange', look);
    return () => {
      hasLeft = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [everyMs, pace]);
}
