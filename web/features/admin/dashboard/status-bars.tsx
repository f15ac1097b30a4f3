import type { Dashboard } from '#contract/dashboard.ts';
import { formatCount } from '#web/text/formats.ts';
import { join } from '#web/ui/join.ts';

const bars = [
  { status: 'approved', label: 'Approuvés', colour: 'fill-leaf' },
  { status: 'pending', label: 'En attente', colour: 'fill-[#d98a1f]' },
  { status: 'rejected', label: 'Rejetés', colour: 'fill-brick' },
] as const;

/** Tickets by status, each a share of all. */
export function StatusBars({ tickets }: { tickets: Dashboard['tickets'] }) {
  return (
    <ul aria-label="Répartition" className="mt-3 flex flex-col gap-4">
      {bars.map(({ status, label, colour }) => {
        const share = tickets.total > 0 ? (100 * tickets[status]) / tickets.total : 0;
        return (
          <li key={status}>
            <div className="flex flex-wrap justify-between gap-x-3">
              <span>{label}</span>
              <span className="ml-auto font-semibold tabular-nums">{formatCount(tickets[status])}</span>
            </div>
            <svg className="mt-1.5 block h-2.5 w-full" aria-hidden="true">
              <rect width="100%" height="100%" rx="5" className="fill-line/60 forced-colors:fill-none" />
              {/* A minimum width keeps any positive value visible. */}
              <rect
                width={`${share > 0 ? Math.max(share, 2) : 0}%`}
                height="100%"
                rx="5"
                className={join(colour, 'forced-colors:fill-[CanvasText]')}
              />
            </svg>
          </li>
        );
      })}
    </ul>
  );
}
