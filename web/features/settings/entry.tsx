import { type ComponentType, type ReactNode, useState } from 'react';
import { Dialog } from '#web/ui/dialog.tsx';
import type { IconProps } from '#web/ui/drawing.tsx';
import { IconTile } from '#web/ui/icon-tile.tsx';
import { ChevronIcon } from '#web/ui/icons.tsx';

interface Words {
  name: string;
  about: string;
  Icon: ComponentType<IconProps>;
}

/** A row of the settings: its icon, its name and what it is about. */
export function EntryRow({ name, about, Icon, aside }: Words & { aside?: ReactNode }) {
  return (
    <span className="wrap-anywhere flex min-h-15 w-full items-center gap-3 px-4 py-2 text-left sm:px-5">
      <IconTile Icon={Icon} />
      <span className="min-w-0 flex-1 leading-snug">
        <span className="block font-medium">{name}</span>
        <span className="block text-[0.8125rem] text-soft">{about}</span>
      </span>
      {aside}
    </span>
  );
}

/** A row that acts, such as by opening a dialog. */
export function EntryButton({ onClick, ...words }: Words & { onClick: () => void }) {
  return (
    <button type="button" className="w-full -outline-offset-4 hover:bg-ground" onClick={onClick}>
      <EntryRow {...words} aside={<ChevronIcon className="size-5 shrink-0 text-leaf" />} />
    </button>
  );
}

/** An entry of the settings' list that opens a dialog, under its own name unless that has another title. */
export function Entry({
  title,
  children,
  ...words
}: Words & { title?: string; children: (close: () => void) => ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <li>
      <EntryButton {...words} onClick={() => setOpen(true)} />
      {isOpen && (
        <Dialog title={title ?? words.name} onClose={close}>
          <div className="mt-4 flex flex-col gap-4 short:mt-3">{children(close)}</div>
        </Dialog>
      )}
    </li>
  );
}
