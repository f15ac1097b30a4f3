import type { ComponentType } from 'react';
import type { IconProps } from './drawing.tsx';
import { join } from './join.ts';

const tones = {
  green: 'bg-leaf-pale text-leaf',
  red: 'bg-brick-pale text-brick',
  amber: 'bg-amber-pale text-amber',
  blue: 'bg-unread text-indigo',
};

/** A line icon on a pale tile at the head of a row; with large text at most an eighth of a phone's width. */
export function IconTile({ Icon, tone = 'green' }: { Icon: ComponentType<IconProps>; tone?: keyof typeof tones }) {
  return (
    <span
      className={join(
        'flex size-10 max-h-[13vw] max-w-[13vw] shrink-0 items-center justify-center rounded-xl',
        tones[tone],
      )}
    >
      <Icon className="size-5.5" />
    </span>
  );
}
