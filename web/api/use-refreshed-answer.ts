import { useEffect, useEffectEvent, useState } from 'react';
import type { Endpoint, ResponseOf } from '#contract/endpoint.ts';
import type { InputOf } from './client.ts';
import { drawJitter } from './polling.ts';
import { useAnswer, useKeepAnswer } from './use-answer.tsx';
import { useCall } from './use-call.ts';

/**
 * Polls the answer of `useAnswer` while the page is visible, and at once when it becomes visible. The drawn answer
 * stays until a new one arrives. A separate file keeps it off the first screen.
 */
export function useRefreshedAnswer<E extends Endpoint & { access: 'anyone' }>(
  endpoint: E,
  input: InputOf<E>,
  everyMs: number,
): void {
  const call = useCall();
  const keep = useKeepAnswer();
  const drawn = useAnswer(endpoint, input).data;
  const [jitter] = useState(drawJitter);
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
    const poll = async () => {
      clearTimeout(timer);
      if (document.hidden || isAsking) return;
      isAsking = true;
      try {
        const read = await ask(known);
        known = read.known;
        draw(read.answer);
      } catch {
        // The drawn answer stays.
      }
      isAsking = false;
      wait();
    };
    const wait = () => {
      if (!hasLeft) timer = setTimeout(poll, everyMs * jitter);
    };
    let hasLeft = false;
    wait();
    document.addEventListener('visibilitychange', poll);
    return () => {
      hasLeft = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', poll);
    };
  }, [everyMs, jitter]);
}
