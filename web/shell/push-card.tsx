import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { IconTile } from '#web/ui/icon-tile.tsx';
import { BellIcon } from '#web/ui/icons.tsx';
import { join } from '#web/ui/join.ts';
import { type PushState, usePush } from './use-push.ts';

const words: Record<Exclude<PushState, 'none'>, { title: string; text?: string }> = {
  off: {
    title: 'Être prévenu sur cet appareil',
    text: 'Une notification vous dit quand votre demande est traitée, même si Guichet est fermé.',
  },
  on: { title: 'Vous êtes prévenu sur cet appareil' },
  denied: {
    title: 'Notifications bloquées',
    text:
      'Pour être prévenu sur cet appareil, autorisez les notifications de Guichet : touchez l’icône à gauche de ' +
      'l’adresse, ou ouvrez les réglages du téléphone si l’application est installée.',
  },
  install: {
    title: 'Être prévenu sur cet appareil',
    text:
      'Ajoutez d’abord Guichet à l’écran d’accueil : touchez Partager, puis « Sur l’écran d’accueil ». ' +
      'Ouvrez ensuite Guichet depuis cet écran.',
  },
};

/** Turns pushes about a person's decisions on or off in this browser; nothing where it is unsupported. */
export function PushCard({ userId, className }: { userId: number; className?: string }) {
  const { state, turnOn, turnOff } = usePush(userId);
  if (state === 'none') return null;
  const { title, text } = words[state];
  return (
    <Card className={join('flex flex-wrap items-start gap-x-3 gap-y-2.5', className)}>
      <IconTile Icon={BellIcon} tone={state === 'denied' ? 'amber' : 'green'} />
      <div className="min-w-0 flex-1 basis-44 self-center">
        <h2 className="font-semibold leading-snug">{title}</h2>
        {text && <p className="text-soft text-sm">{text}</p>}
        {state === 'on' && (
          <Button variant="quiet" tight className="-mx-3 -mb-2" busy={turnOff.busy} onClick={() => turnOff.run()}>
            Ne plus être prévenu
          </Button>
        )}
      </div>
      {state === 'off' && (
        <Button
          variant="outline"
          tight
          className="w-full self-center sm:w-auto"
          busy={turnOn.busy}
          onClick={() => turnOn.run()}
        >
          Me prévenir
        </Button>
      )}
    </Card>
  );
}
