import { useSyncExternalStore } from 'react';
import { NoAnswer } from '#web/api/client.ts';
import { useCall } from '#web/api/use-call.ts';
import { useAction } from '#web/forms/use-action.ts';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import { readPushOwner } from '#web/push/push-owner.ts';
import { subscribe, unsubscribe } from '#web/push/subscription.ts';
import { useToast } from '#web/ui/toast.tsx';
import { requireWorker } from './register-worker.ts';

/** The push state of this browser; `install` where only the installed app can receive pushes (iOS). */
export type PushState = 'none' | 'install' | 'denied' | 'off' | 'on';

const changed = 'guichet-push';

function readState(userId: number): PushState {
  const canPush =
    !import.meta.env.DEV && navigator.serviceWorker && 'PushManager' in window && 'Notification' in window;
  if (!canPush) return (navigator as { standalone?: boolean }).standalone === false ? 'install' : 'none';
  if (Notification.permission === 'denied') return 'denied';
  return Notification.permission === 'granted' && readPushOwner() === userId ? 'on' : 'off';
}

/** The permission may change in the browser's settings. */
function listen(onChange: () => void): () => void {
  const events = [changed, 'focus', 'storage'];
  for (const each of events) addEventListener(each, onChange);
  return () => {
    for (const each of events) removeEventListener(each, onChange);
  };
}

/** The push state of this browser, with functions to change it. Only turning it on asks for the permission. */
export function usePush(userId: number) {
  const call = useCall();
  const toast = useToast();
  const toastFailure = useFailureToast();
  const state = useSyncExternalStore(listen, () => readState(userId));

  const turnOn = useAction(async () => {
    try {
      // First: Safari requires the tap's user activation.
      const permission = await Notification.requestPermission();
      if (permission !== 'granted') return;
      await subscribe(call, userId, await requireWorker());
      toast({ title: 'Notifications activées', description: 'Vous serez prévenu quand une demande est traitée.' });
    } catch (error) {
      toastFailure(error, { fallback: 'Ce navigateur n’a pas pu activer les notifications. Réessayez plus tard.' });
    } finally {
      dispatchEvent(new Event(changed));
    }
  });

  const turnOff = useAction(async () => {
    try {
      await unsubscribe(call);
    } catch (error) {
      // It holds here anyway: the next push informs the server.
      if (!(error instanceof NoAnswer)) toastFailure(error, { fallback: 'Impossible d’arrêter les notifications.' });
    } finally {
      dispatchEvent(new Event(changed));
    }
  });

  return { state, turnOn, turnOff };
}
