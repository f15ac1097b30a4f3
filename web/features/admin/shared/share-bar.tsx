import type { ReactNode } from 'react';

/** A name and its number above a bar, in a list; `share` is in percent, `fill` the class of the bar's colour. */
export function ShareBar({
  name,
  note,
  value,
  share,
  fill = 'fill-leaf',
}: {
  name: string;
  note?: string;
  value: ReactNode;
  share: number;
  fill?: string;
}) {
  return (
    <li>
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="min-w-0">
          {name}
          {note && <span className="text-small text-soft">{` ${note}`}</span>}
        </span>
        <span className="ml-auto font-semibold tabular-nums">{value}</span>
      </p>
      <svg className="mt-1 block h-2 w-full" aria-hidden="true">
        <rect width="100%" height="100%" rx={4} className="fill-line/60 forced-colors:fill-none" />
        <rect
          // A minimum width keeps any positive value visible.
          width={`${share > 0 ? Math.max(share, 2) : 0}%`}
          height="100%"
          rx={4}
          className={`${fill} forced-colors:fill-[CanvasText]`}
        />
      </svg>
    </li>
  );
}
