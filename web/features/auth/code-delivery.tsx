import { useEffect, useEffectEvent, useState } from 'react';
import { type CodeDeliveryState, readCodeDelivery } from '#contract/auth.ts';
import { ApiError } from '#web/api/client.ts';
import { codeDeliveryLooks, drawPace, pollEveryMs } from '#web/api/polling.ts';
import { useCall } from '#web/api/use-call.ts';
import { join } from '#web/ui/join.ts';

type Purpose = 'signup' | 'reset';

const failed = {
  sentence: 'L’envoi a échoué. Vérifiez le numéro ou demandez un nouveau code.',
  look: 'font-medium text-brick',
};
/** Nothing is said while there is nothing to say. */
const words: Partial<Record<CodeDeliveryState, { sentence: string; look: string }>> = {
  waiting: { sentence: 'L’envoi prend plus de temps que d’habitude. Le SMS part dès que possible.', look: 'text-soft' },
  sent: { sentence: 'SMS envoyé', look: 'text-soft' },
  delivered: { sentence: 'SMS remis à votre téléphone', look: 'text-leaf-dark' },
  undelivered: failed,
  failed,
};
const isOver = (state: CodeDeliveryState) => state !== 'queued' && state !== 'waiting' && state !== 'sent';

/**
 * Tells what became of the code's SMS, as far as its gateway tells. Stands last on its screen, so that nothing moves when it
 * speaks; each code has one of its own.
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

/** Asks now and then, while the page is seen and has a line, until there is no more to hear. */
function useCodeDelivery(purpose: Purpose): CodeDeliveryState {
  const call = useCall();
  const [state, setState] = useState<CodeDeliveryState>('queued');
  const [pace] = useState(drawPace);
  const ask = useEffectEvent(async (): Promise<CodeDeliveryState> => {
    try {
      const answer = await call(readCodeDelivery, { query: { purpose } });
      setState(answer.state);
      return answer.state;
    } catch (error) {
      // What the server refuses once it refuses again; too many calls, trouble of its own and a lost line pass.
      return error instanceof ApiError && error.status < 500 && error.status !== 429 ? 'unknown' : 'queued';
    }
  });

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isAsking = false;
    let left: number = codeDeliveryLooks;
    const wait = () => {
      timer = setTimeout(look, pollEveryMs.codeDelivery * pace);
    };
    const look = async () => {
      clearTimeout(timer);
      if (left === 0 || isAsking || document.hidden || !navigator.onLine) return;
      isAsking = true;
      left -= 1;
      const told = await ask();
      // What waits for its gateway goes on to be asked for: with its code it ends by itself.
      if (isOver(told)) left = 0;
      else if (told === 'waiting') left += 1;
      isAsking = false;
      if (left > 0) wait();
    };
    wait();
    document.addEventListener('visibilitychange', look);
    window.addEventListener('online', look);
    return () => {
      left = 0;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
      window.removeEventListener('online', look);
    };
  }, [pace]);
  return state;
}
