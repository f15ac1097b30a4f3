import type { ReactNode } from 'react';
import { join } from './join.ts';

/** A list of names and values; a value too long for its line wraps below its name. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="flex flex-col gap-1.5">{children}</dl>;
}

export function Fact({
  name,
  main,
  long,
  children,
}: {
  name: string;
  main?: boolean;
  /** A long text: always below its name. */
  long?: boolean;
  children: ReactNode;
}) {
  return (
    <div
      className={join(
        'flex flex-wrap justify-between gap-x-4',
        main && 'mt-1 border-line border-t pt-2.5 font-bold text-lg',
      )}
    >
      <dt className={main ? undefined : 'text-soft'}>{name}</dt>
      <dd className={join(long ? 'basis-full' : 'ml-auto text-right', main && 'text-leaf')}>{children}</dd>
    </div>
  );
}
