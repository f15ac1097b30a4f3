import { useSyncExternalStore } from 'react';
import { NoAnswer } from '#web/api/client.ts';
import { useCall } from '#web/api/use-call.ts';
import { useAction } from '#web/forms/use-action.ts';
import { readPushOwner } from '#web/push/push-owner.ts';
import { subscribe, unsubscribe } from '#web/push/subscription.ts';
import { FilesChanged, requireWorker } from '#web/shell/register-worker.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { IconTile } from '#web/ui/icon-tile.tsx';
import { BellIcon } from '#web/ui/icons.tsx';
import { join } from '#web/ui/join.ts';

const words: Record<PushState, { title: string; text?: string }> = {
  none: {
    title: 'Impossible sur cet appareil',
    text: 'Ce navigateur ne sait pas prévenir quand Guichet est fermé. Essayez avec Chrome, Firefox ou Edge, à jour.',
  },
  off: {
    title: 'Être prévenu sur cet appareil',
    text: 'Une notification vous prévient quand votre demande est traitée, même si Guichet est fermé.',
  },
  on: { title: 'Vous êtes prévenu sur cet appareil' },
  denied: {
    title: 'Notifications bloquées',
    text:
      "Pour être prévenu sur cet appareil, autorisez les notifications de Guichet\u00a0: touchez l'icône à gauche de " +
      "l'adresse, ou ouvrez les réglages du téléphone si l'application est installée.",
  },
  install: {
    title: 'Être prévenu sur cet appareil',
    text:
      "Ajoutez d'abord Guichet à l'écran d'accueil\u00a0: touchez Partager, puis « Sur l'écran d'accueil ». " +
      'Ouvrez ensuite Guichet depuis cet écran.',
  },
};

const notTurnedOn = "Ce navigateur n'a pas pu activer les notifications. Réessayez plus tard.";
const filesChanged =
  "La page a été modifiée entre Guichet et vous, par le réseau ou l'hébergeur\u00a0: les notifications ne peuvent pas être activées. " +
  'Essayez par un autre réseau, ou écrivez au support.';

/** Turns pushes about a person's decisions on or off here. Where it cannot, nothing unless `always`: in the settings' dialog. */
export function PushCard({ userId, className, always }: { userId: number; className?: string; always?: boolean }) {
  const { state, turnOn, turnOff } = usePush(userId);
  if (state === 'none' && !always) return null;
  const { title, text } = words[state];
  return (
    <Card className={join('flex flex-wrap items-start gap-x-3 gap-y-2.5', className)}>
      <IconTile Icon={BellIcon} tone={state === 'denied' || state === 'none' ? 'amber' : 'green'} />
      <div className="min-w-0 flex-1 basis-44 self-center">
        <h2 className="font-semibold leading-snug">{title}</h2>
        {text && <p className="text-soft text-small">{text}</p>}
        {state === 'on' && (
          <Button variant="quiet" tight className="-mx-3 -mb-2" busy={turnOff.busy} onClick={() => turnOff.run()}>
            Ne plus être prévenu
          </Button>
        )}
      </div>
      {state === 'off' && (
        <Button
          variant={always ? 'main' : 'outline'}
          tight
          className={join('w-full self-center short:w-auto', !always && 'sm:w-auto')}
          busy={turnOn.busy}
          onClick={() => turnOn.run()}
        >
          Me prévenir
        </Button>
      )}
    </Card>
  );
}

/** The push state of this browser; `install` where only the installed app can receive pushes (iOS). */
type PushState = 'none' | 'install' | 'denied' | 'off' | 'on';

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
function usePush(userId: number) {
  const call = useCall();
  const state = useSyncExternalStore(listen, () => readState(userId));

  const tell = () => void dispatchEvent(new Event(changed));

  const subscribeHere = async () => {
    // First: Safari requires the tap's user activation.
    const permission = await Notification.requestPermission();
    if (permission !== 'granted') return undefined;
    await subscribe(call, userId, await requireWorker());
    return { title: 'Notifications activées', description: 'Vous serez prévenu quand une demande est traitée.' };
  };
  const turnOn = useAction(() => subscribeHere().finally(tell), {
    failure: (error) => ({ fallback: error instanceof FilesChanged ? filesChanged : notTurnedOn }),
  });

  const turnOff = useAction(() => unsubscribe(call).finally(tell), {
    // Without an answer it holds here anyway: the next push informs the server.
    failure: (error) =>
      error instanceof NoAnswer ? undefined : { fallback: "Impossible d'arrêter les notifications." },
  });

  return { state, turnOn, turnOff };
}
