import type { ComponentProps } from 'react';
import { BackIcon } from './control-icons.tsx';
import { join } from './join.ts';

export function BackButton({ className, ...rest }: ComponentProps<'button'>) {
  return (
    <button
      type="button"
      aria-label="Retour"
      className={join('flex size-12 shrink-0 items-center justify-center rounded-xl hover:bg-white/15', className)}
      {...rest}
    >
      <BackIcon />
    </button>
  );
}
