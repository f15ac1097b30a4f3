import { cardClass } from '#web/ui/card.tsx';
import { ForwardIcon } from '#web/ui/icons.tsx';
import { join } from '#web/ui/join.ts';
import { useInstall } from './use-install.ts';

/** The entry of the settings that installs the app, where the browser offers to. */
export function InstallOffer() {
  const install = useInstall();
  if (!install) return null;
  return (
    <button
      type="button"
      className={join(
        cardClass,
        'flex min-h-14 w-full items-center justify-between gap-3 px-4 text-left -outline-offset-4',
      )}
      onClick={install}
    >
      Installer l’application
      <ForwardIcon className="size-5 text-edge" />
    </button>
  );
}
