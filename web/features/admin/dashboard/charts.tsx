import type { Dashboard } from '#contract/dashboard.ts';
import { ShareBar } from '#web/features/admin/shared/share-bar.tsx';
import { formatAmount, formatCalendarDay, formatCount, formatCounted, formatShortCount } from '#web/text/formats.ts';
import { servicePlace } from '#web/text/service-place.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LayersIcon } from '#web/ui/icons.tsx';
import { ChartIcon } from '#web/ui/panel-icons.tsx';

/** Consecutive days; `day` is 'YYYY-MM-DD'. */
type Days = { day: string; tickets: number; francs: number }[];

const total = (values: number[]) => values.reduce((sum, value) => sum + value, 0);

/** A bar a day for its tickets. The pointer on a day says them, and their francs. */
export function DayChart({ days }: { days: Days }) {
  const values = days.map(({ tickets }) => tickets);
  const all = total(values);
  const highest = Math.max(...values);
  const peak = days[values.indexOf(highest)];
  const top = roundUp(highest);
  const marked = days.filter((_, index) => [0, Math.floor(days.length / 2), days.length - 1].includes(index));
  const period = days.length < 2 ? 'un jour' : `${days.length} jours`;
  if (!peak || all === 0)
    return (
      <figure>
        <figcaption className="font-bold">Tickets par jour</figcaption>
        <EmptyState Icon={ChartIcon} title={`Aucun ticket en ${period}`} />
      </figure>
    );
  const francs = formatAmount(total(days.map((day) => day.francs)));
  const summary = `${formatCounted(all, 'ticket')} en ${period}, ${francs}\u00a0; au plus ${formatCount(highest)} le ${formatCalendarDay(peak.day).long}`;
  return (
    <figure>
      <figcaption className="font-bold">Tickets par jour</figcaption>
      {/* Screen readers hear it once, as the chart's name. */}
      <p aria-hidden="true" className="text-soft text-small">
        {summary}
      </p>
      <div
        role="img"
        aria-label={summary}
        className="mt-3 grid grid-cols-[auto_1fr] gap-x-2 text-soft text-small tabular-nums"
      >
        <div className="-my-2 flex flex-col-reverse justify-between text-right">
          {[0, top / 2, top].map((level) => (
            <span key={level}>{formatShortCount(level)}</span>
          ))}
        </div>
        <div className="flex h-44 lg:h-32 items-stretch border-line border-y bg-[linear-gradient(var(--color-line),var(--color-line))] bg-[length:100%_1px] bg-center bg-no-repeat">
          {days.map(({ day, tickets, francs }) => (
            <span
              key={day}
              title={`${formatCalendarDay(day).shortWithWeekday}\u00a0: ${formatCounted(tickets, 'ticket')}, ${formatAmount(francs)}`}
              className="flex flex-1 flex-col justify-end px-px hover:bg-leaf/15"
            >
              <span
                // A minimum height keeps any positive value visible.
                style={{ height: `${tickets > 0 ? Math.max(1, (100 * tickets) / top) : 0}%` }}
                className="rounded-t-[3px] bg-leaf forced-colors:bg-[CanvasText]"
              />
            </span>
          ))}
        </div>
        <p className="col-start-2 mt-2 flex flex-wrap justify-between">
          {marked.map(({ day }) => (
            <span key={day}>{formatCalendarDay(day).short}</span>
          ))}
        </p>
      </div>
    </figure>
  );
}

/** A little more than a number, in two digits at most, such as 14 or 1 400 000; its half is a whole number. */
function roundUp(value: number): number {
  const step = 2 * 10 ** Math.max(0, Math.floor(Math.log10(Math.max(value, 1))) - 1);
  return Math.ceil(value / step) * step;
}

/** A bar per service, the most requested first. */
export function ServiceChart({ services }: { services: Dashboard['services30'] }) {
  const most = Math.max(...services.map(({ tickets }) => tickets));
  return (
    <figure>
      <figcaption className="font-bold">Services les plus demandés</figcaption>
      {most > 0 ? (
        <ul className="mt-3 flex flex-col gap-3">
          {services.map(({ serviceId, name, above, tickets }) => (
            <ShareBar
              key={serviceId}
              name={name}
              note={servicePlace([...above, name].map((each) => ({ name: each })))}
              value={formatCount(tickets)}
              share={(100 * tickets) / most}
            />
          ))}
        </ul>
      ) : (
        <EmptyState Icon={LayersIcon} title="Aucun service demandé" />
      )}
    </figure>
  );
}
