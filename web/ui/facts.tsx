import type { ReactNode } from 'react';
import { join } from './join.ts';

/** A list of names and values; a value too long for its line wraps below its name. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="flex flex-col gap-1.5">{children}</dl>;
}

export function Fact({
  name,
  main,
  note,
  children,
}: {
  name: string;
  main?: boolean;
  /** In small letters below the value. */
  note?: string | undefined;
  children: ReactNode;
}) {
  return (
    <div
      className={join(
        'flex flex-wrap items-baseline justify-between gap-x-4',
        main && 'mt-1 border-line border-t pt-2.5 font-bold text-large',
      )}
    >
      <dt className={main ? undefined : 'text-soft'}>{name}</dt>
      <dd className={join('ml-auto text-right', main && 'font-display tabular-nums')}>{children}</dd>
      {note && <dd className="basis-full text-right text-soft text-small">{note}</dd>}
    </div>
  );
}
