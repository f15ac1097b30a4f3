import { sum } from 'd3-array';
import { useId } from 'react';
import { formatCount, formatTickets } from '#web/text/formats.ts';
import { ChartFigure } from './chart-figure.tsx';

const title = 'Services les plus demandés';

/** A bar per service, the most requested first. */
export function ServiceChart({ services }: { services: { name: string; tickets: number }[] }) {
  const summaryId = useId();
  const total = sum(services, (service) => service.tickets);
  const most = Math.max(...services.map((service) => service.tickets));
  const first = services.find((service) => service.tickets === most);
  const others = services.length > 1 ? ` sur les ${formatCount(total)} de ces ${services.length} services` : '';
  const isEmpty = first === undefined || total === 0;
  return (
    <ChartFigure
      title={title}
      summary={isEmpty ? 'Aucun service demandé' : `${first.name} en tête : ${formatTickets(most)}${others}`}
      summaryId={summaryId}
      isEmpty={isEmpty}
      columns={['Service', 'Tickets']}
      rows={services.map(({ name, tickets }) => ({ name, values: [formatCount(tickets)] }))}
    >
      <div role="img" aria-labelledby={summaryId} className="mt-3 flex flex-col gap-3">
        {services.map(({ name, tickets }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two services may have one name, and none has a state
          <div key={index}>
            <p className="flex flex-wrap items-baseline gap-x-4 text-sm">
              <span className="min-w-0 flex-1 basis-32">{name}</span>
              <span className="ml-auto font-semibold tabular-nums">{formatCount(tickets)}</span>
            </p>
            <svg className="mt-1 block h-2.5 w-full" aria-hidden="true">
              <rect width="100%" height="100%" rx="5" className="fill-line/60 forced-colors:fill-none" />
              <rect
                // A minimum width keeps any positive value visible.
                width={`${tickets > 0 ? Math.max((100 * tickets) / most, 2) : 0}%`}
                height="100%"
                rx="5"
                className="fill-leaf forced-colors:fill-[CanvasText]"
              />
            </svg>
          </div>
        ))}
      </div>
    </ChartFigure>
  );
}
