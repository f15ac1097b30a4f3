import { join } from './join.ts';

/** The classes of a radio button's label that is a touch target; `quiet` where it is hardly chosen. */
export const choiceClass = (chosen: boolean, more: string, quiet?: boolean): string =>
  join(
    'flex cursor-pointer items-center gap-3 rounded-xl border px-3 py-1.5 leading-tight outline-indigo outline-offset-2 has-[:focus-visible]:outline-3',
    chosen ? 'border-leaf bg-leaf-pale ring-1 ring-leaf' : quiet ? 'border-transparent' : 'border-edge/60 bg-card',
    more,
  );

export const radioClass = 'size-5 shrink-0 accent-leaf outline-none';
