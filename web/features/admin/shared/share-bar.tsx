import { join } from '#web/ui/join.ts';

/** A bar of a share in percent; `fill` is the class of its colour. */
export function ShareBar({
  share,
  thin,
  className,
  fill,
}: {
  share: number;
  thin?: boolean;
  className: string;
  fill: string;
}) {
  const radius = thin ? 4 : 5;
  return (
    <svg className={join('block w-full', thin ? 'h-2' : 'h-2.5', className)} aria-hidden="true">
      <rect width="100%" height="100%" rx={radius} className="fill-line/60 forced-colors:fill-none" />
      <rect
        // A minimum width keeps any positive value visible.
        width={`${share > 0 ? Math.max(share, 2) : 0}%`}
        height="100%"
        rx={radius}
        className={join(fill, 'forced-colors:fill-[CanvasText]')}
      />
    </svg>
  );
}
