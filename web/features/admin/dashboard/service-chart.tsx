import { sum } from 'd3-array';
import { useId } from 'react';
import { ShareBar } from '#web/features/admin/shared/share-bar.tsx';
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
            <ShareBar share={(100 * tickets) / most} className="mt-1" fill="fill-leaf" />
          </div>
        ))}
      </div>
    </ChartFigure>
  );
}
