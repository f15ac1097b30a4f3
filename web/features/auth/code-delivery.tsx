import { useEffect, useEffectEvent, useState } from 'react';
import { type CodeDeliveryState, readCodeDelivery } from '#contract/auth.ts';
import { ApiError } from '#web/api/client.ts';
import { codeDeliveryPolls, drawJitter, pollEveryMs } from '#web/api/polling.ts';
import { useCall } from '#web/api/use-call.ts';
import { join } from '#web/ui/join.ts';

type Purpose = 'signup' | 'reset';

const failed = {
  sentence: "L'envoi a échoué. Vérifiez le numéro ou demandez un nouveau code.",
  look: 'font-medium text-brick',
};
/** States without an entry show nothing. */
const words: Partial<Record<CodeDeliveryState, { sentence: string; look: string }>> = {
  waiting: { sentence: "L'envoi prend plus de temps que d'habitude. Le SMS part dès que possible.", look: 'text-soft' },
  sent: { sentence: 'SMS envoyé', look: 'text-soft' },
  delivered: { sentence: 'SMS remis à votre téléphone', look: 'text-leaf-dark' },
  undelivered: failed,
  failed,
};
const isOver = (state: CodeDeliveryState) => state !== 'queued' && state !== 'waiting' && state !== 'sent';

/**
 * Shows the delivery of the code's SMS, as far as its gateway reports it. Last on its screen, so that its appearance
 * moves nothing; each code has its own instance.
 */
export function CodeDelivery({ purpose }: { purpose: Purpose }) {
  const state = useCodeDelivery(purpose);
  const said = words[state];
  return (
    <p aria-live="polite" className={join('min-h-6 text-center text-sm', said?.look)}>
      {said?.sentence}
    </p>
  );
}

/** Polls the delivery while the page is visible and online, until it is final. */
function useCodeDelivery(purpose: Purpose): CodeDeliveryState {
  const call = useCall();
  const [state, setState] = useState<CodeDeliveryState>('queued');
  const [jitter] = useState(drawJitter);
  const ask = useEffectEvent(async (): Promise<CodeDeliveryState> => {
    try {
      const answer = await call(readCodeDelivery, { query: { purpose } });
      setState(answer.state);
      return answer.state;
    } catch (error) {
      // A final refusal ends the polls; too many calls, server errors and lost connections are transient.
      return error instanceof ApiError && error.status < 500 && error.status !== 429 ? 'unknown' : 'queued';
    }
  });

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isAsking = false;
    let left: number = codeDeliveryPolls;
    const wait = () => {
      timer = setTimeout(poll, pollEveryMs.codeDelivery * jitter);
    };
    const poll = async () => {
      clearTimeout(timer);
      if (left === 0 || isAsking || document.hidden || !navigator.onLine) return;
      isAsking = true;
      left -= 1;
      const polled = await ask();
      // A queued SMS is polled on: the code's expiry ends it.
      if (isOver(polled)) left = 0;
      else if (polled === 'waiting') left += 1;
      isAsking = false;
      if (left > 0) wait();
    };
    wait();
    document.addEventListener('visibilitychange', poll);
    window.addEventListener('online', poll);
    return () => {
      left = 0;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', poll);
      window.removeEventListener('online', poll);
    };
  }, [jitter]);
  return state;
}
