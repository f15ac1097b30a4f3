import type { ReactNode } from 'react';
import { ShareBar } from '#web/features/admin/shared/share-bar.tsx';
import { formatAmount, formatCalendarDay, formatCount, formatShortCount, formatTickets } from '#web/text/formats.ts';

/** Consecutive days; `day` is 'YYYY-MM-DD'. */
type Days = { day: string; tickets: number; francs: number }[];

const measures = {
  tickets: { title: 'Tickets par jour', none: 'Aucun ticket', format: formatTickets, formatPeak: formatCount },
  francs: { title: 'Francs par jour', none: 'Aucun franc', format: formatAmount, formatPeak: formatAmount },
} as const;
export type Measure = keyof typeof measures;

/** A bar a day. The pointer on a day, and the table below, say its number. */
export function DayChart({ days, measure, aside }: { days: Days; measure: Measure; aside: ReactNode }) {
  const { title, none, format, formatPeak } = measures[measure];
  const values = days.map((day) => day[measure]);
  const total = values.reduce((sum, value) => sum + value, 0);
  const highest = Math.max(...values);
  const peak = days[values.indexOf(highest)];
  const top = roundUp(highest);
  const marked = days.filter((_, index) => [0, Math.floor(days.length / 2), days.length - 1].includes(index));
  const period = days.length < 2 ? 'un jour' : `${days.length} jours`;
  const head = (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <figcaption className="font-bold">{title}</figcaption>
      {aside}
    </div>
  );
  if (!peak || total === 0)
    return (
      <figure>
        {head}
        <NothingYet>{`${none} en ${period}`}</NothingYet>
      </figure>
    );
  const summary = `${format(total)} en ${period}, au plus ${formatPeak(highest)} le ${formatCalendarDay(peak.day).long}`;
  return (
    <figure>
      {head}
      {/* Screen readers hear it once, as the chart's name. */}
      <p aria-hidden="true" className="text-soft text-sm">
        {summary}
      </p>
      <div
        role="img"
        aria-label={summary}
        className="mt-3 grid grid-cols-[auto_1fr] gap-x-2 text-soft text-xs tabular-nums"
      >
        <div className="-my-2 flex flex-col-reverse justify-between text-right">
          {[0, top / 2, top].map((level) => (
            <span key={level}>{formatShortCount(level)}</span>
          ))}
        </div>
        <div className="flex h-44 items-stretch border-line border-y bg-[linear-gradient(var(--color-line),var(--color-line))] bg-[length:100%_1px] bg-center bg-no-repeat lg:h-28">
          {days.map((each) => (
            <span
              key={each.day}
              title={`${formatCalendarDay(each.day).shortWithWeekday} : ${format(each[measure])}`}
              className="flex flex-1 flex-col justify-end px-px hover:bg-leaf/15"
            >
              <span
                // A minimum height keeps any positive value visible.
                style={{ height: `${each[measure] > 0 ? Math.max(1, (100 * each[measure]) / top) : 0}%` }}
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
      <DayTable title={title} days={days} />
    </figure>
  );
}

function DayTable({ title, days }: { title: string; days: Days }) {
  return (
    <details className="mt-2 -mb-2">
      <summary className="w-fit cursor-pointer rounded-lg py-2.5 pr-2 font-semibold text-leaf text-sm leading-6 hover:underline">
        Voir le tableau<span className="sr-only">{` : ${title}`}</span>
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: with large text on a phone it scrolls, by the keyboard too */}
      <section aria-label={`${title}, tableau`} tabIndex={0} className="overflow-x-auto">
        <table
          aria-label={title}
          className="w-full text-right text-sm tabular-nums [&_td]:pl-3 [&_th:first-child]:text-left [&_th]:pl-3 [&_th:first-child]:pl-0 [&_:is(td,th)]:border-line [&_:is(td,th)]:border-b [&_:is(td,th)]:py-2"
        >
          <thead className="text-soft">
            <tr>
              {['Jour', 'Tickets', 'Francs'].map((head) => (
                <th key={head} scope="col" className="font-semibold">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map(({ day, tickets, francs }) => (
              <tr key={day}>
                <th scope="row" className="font-normal">
                  {formatCalendarDay(day).longWithWeekday}
                </th>
                <td>{formatCount(tickets)}</td>
                <td>{formatCount(francs)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}

/** A little more than a number, in two digits at most, such as 14 or 1 400 000; its half is a whole number. */
function roundUp(value: number): number {
  const step = 2 * 10 ** Math.max(0, Math.floor(Math.log10(Math.max(value, 1))) - 1);
  return Math.ceil(value / step) * step;
}

/** A bar per service, the most requested first. */
export function ServiceChart({ services }: { services: { name: string; tickets: number }[] }) {
  const most = Math.max(...services.map(({ tickets }) => tickets));
  return (
    <figure>
      <figcaption className="font-bold">Services les plus demandés</figcaption>
      {most > 0 ? (
        <ul className="mt-3 flex flex-col gap-3">
          {services.map(({ name, tickets }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two services may have one name, and none has a state
            <li key={index}>
              <p className="flex flex-wrap items-baseline gap-x-4 text-sm">
                <span className="min-w-0 flex-1 basis-32">{name}</span>
                <span className="ml-auto font-semibold tabular-nums">{formatCount(tickets)}</span>
              </p>
              <ShareBar share={(100 * tickets) / most} className="mt-1" fill="fill-leaf" />
            </li>
          ))}
        </ul>
      ) : (
        <NothingYet>Aucun service demandé</NothingYet>
      )}
    </figure>
  );
}

function NothingYet({ children }: { children: string }) {
  return (
    <p className="mt-3 flex min-h-52 items-center justify-center rounded-xl border border-line border-dashed p-4 text-center text-soft">
      {children}
    </p>
  );
}
