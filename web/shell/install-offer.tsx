import { InstallIcon } from '#web/ui/action-icons.tsx';
import { cardClass } from '#web/ui/card.tsx';
import { IconTile } from '#web/ui/icon-tile.tsx';
import { ChevronIcon } from '#web/ui/icons.tsx';
import { join } from '#web/ui/join.ts';
import { useInstall } from './use-install.ts';

/** The settings entry that installs the app, where the browser offers it. */
export function InstallOffer() {
  const install = useInstall();
  if (!install) return null;
  return (
    <button
      type="button"
      className={join(
        cardClass,
        'wrap-anywhere flex min-h-15 w-full items-center gap-3 px-3 py-2 text-left -outline-offset-4 hover:bg-ground',
      )}
      onClick={install}
    >
      <IconTile Icon={InstallIcon} />
      <span className="min-w-0 flex-1 font-medium">Installer l’application</span>
      <ChevronIcon className="size-5 shrink-0 text-edge" />
    </button>
  );
}
