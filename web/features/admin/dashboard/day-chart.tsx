import { maxIndex, sum } from 'd3-array';
import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { formatAmount, formatCalendarDay, formatCount, formatTickets } from '#web/text/formats.ts';
import { ChartFigure } from './chart-figure.tsx';
import { DayPlot } from './day-plot.tsx';

type Measure = 'tickets' | 'francs';

interface Props {
  /** Consecutive days; `day` is 'YYYY-MM-DD'. */
  days: { day: string; tickets: number; francs: number }[];
  measure: Measure;
  /** Beside the title: the choice of the measure. */
  aside?: ReactNode;
}

const measures = {
  tickets: { title: 'Tickets par jour', none: 'Aucun ticket', format: formatTickets, formatPeak: formatCount },
  francs: { title: 'Francs par jour', none: 'Aucun franc', format: formatAmount, formatPeak: formatAmount },
} as const;

/**
 * A bar per day for tickets, a line for francs. A tooltip describes the day under the pointer or reached by the arrow
 * keys.
 */
export function DayChart({ days, measure, aside }: Props) {
  const summaryId = useId();
  const frame = useRef<HTMLDivElement>(null);
  const [reached, setReached] = useState<number>();
  const [isTipOpen, setTipOpen] = useState(false);
  useDismissal(frame, isTipOpen, () => setTipOpen(false));
  const showDay = (index: number) => {
    setReached(index);
    setTipOpen(true);
  };
  const { title, none, format, formatPeak } = measures[measure];
  const values = days.map((day) => day[measure]);
  const total = sum(values);
  const period = days.length < 2 ? 'un jour' : `${days.length} jours`;
  const peak = days[maxIndex(values)];
  // Initially the last day; a poll may answer fewer days than before.
  const index = Math.min(reached ?? Number.POSITIVE_INFINITY, days.length - 1);
  const day = days[index];
  const value = day && format(day[measure]);
  return (
    <ChartFigure
      title={title}
      summary={
        peak && total > 0
          ? `${format(total)} en ${period}, au plus ${formatPeak(peak[measure])} le ${formatCalendarDay(peak.day).long}`
          : `${none} en ${period}`
      }
      summaryId={summaryId}
      isEmpty={total === 0}
      aside={aside}
      summaryCovered={isTipOpen}
      columns={['Jour', 'Tickets', 'Francs']}
      rows={days.map((each) => ({
        name: formatCalendarDay(each.day).longWithWeekday,
        values: [formatCount(each.tickets), formatCount(each.francs)],
      }))}
    >
      <div ref={frame} className="relative mt-5">
        {/* A slider role: keyboards, screen readers and their gestures know how to move it. The drawing is an image. */}
        <input
          type="range"
          aria-label="Jour"
          aria-valuetext={day && `${formatCalendarDay(day.day).longWithWeekday} : ${value}`}
          min={0}
          max={days.length - 1}
          value={index}
          onChange={(event) => showDay(event.target.valueAsNumber)}
          onFocus={() => setTipOpen(true)}
          onBlur={() => setTipOpen(false)}
          className="peer pointer-events-none absolute inset-0 size-full opacity-0"
        />
        <div
          role="img"
          aria-labelledby={summaryId}
          className="-m-1.5 @max-[15rem]:gap-x-0 grid grid-cols-[auto_1fr] gap-x-2 rounded-lg p-1.5 outline-indigo peer-focus-visible:outline-3"
        >
          <DayPlot
            days={days.map((each) => each.day)}
            values={values}
            drawing={measure === 'tickets' ? 'bars' : 'line'}
            activeIndex={isTipOpen ? index : undefined}
            tip={day && `${formatCalendarDay(day.day).shortWithWeekday} : ${value}`}
            onPoint={showDay}
            onLeave={() => setTipOpen(false)}
          />
        </div>
      </div>
    </ChartFigure>
  );
}

/** Calls `dismiss` on Escape and on a press elsewhere, which is the only way to leave on a touch screen. */
function useDismissal(frame: RefObject<HTMLElement | null>, open: boolean, dismiss: () => void) {
  useEffect(() => {
    if (!open) return;
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && dismiss();
    const onPoint = (event: Event) => !frame.current?.contains(event.target as Node) && dismiss();
    document.addEventListener('keydown', onKey);
    document.addEventListener('pointerdown', onPoint);
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('pointerdown', onPoint);
    };
  });
}
