import { maxIndex, nice, sum, ticks } from 'd3-array';
import { area } from 'd3-shape';
import { type PointerEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { formatAmount, formatCalendarDay, formatCount, formatShortCount, formatTickets } from '#web/text/formats.ts';
import { join } from '#web/ui/join.ts';
import { ChartFigure } from './chart-figure.tsx';

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

interface PlotProps {
  /** Consecutive 'YYYY-MM-DD'. */
  days: string[];
  /** One per day; at least one is positive. */
  values: number[];
  drawing: 'bars' | 'line';
  activeIndex: number | undefined;
  tip: string | undefined;
  onPoint: (index: number) => void;
  onLeave: () => void;
}

/** Bars or a line over an axis of days. All positions are percentages, so that it fits any width without measuring. */
function DayPlot({ days, values, drawing, activeIndex, tip, onPoint, onLeave }: PlotProps) {
  const [, top] = nice(0, Math.max(...values), 4);
  // No ticks at half tickets.
  const levels = ticks(0, top, 4).filter(Number.isInteger);
  const slot = 100 / days.length;
  const x = (index: number) => (index + 0.5) * slot;
  const y = (value: number) => 100 - (100 * value) / top;
  const point = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const index = Math.floor(((event.clientX - left) / width) * days.length);
    onPoint(Math.min(Math.max(index, 0), days.length - 1));
  };
  // Counted back from today, which always has a label; a week apart over 30 days.
  const labelEvery = Math.ceil(days.length / 4.5);
  return (
    <>
      {/* With very large text on a phone the drawing needs the space; the summary names the highest day. */}
      <div className="@max-[15rem]:hidden -my-1.5 flex flex-col-reverse justify-between text-right text-soft text-xs tabular-nums leading-none">
        {levels.map((level) => (
          <span key={level}>{formatShortCount(level)}</span>
        ))}
      </div>
      <div
        className="relative col-start-2 h-44 touch-pan-y lg:h-24"
        onPointerDown={point}
        onPointerMove={point}
        onPointerLeave={(event) => event.pointerType === 'mouse' && onLeave()}
      >
        <svg className="block size-full overflow-visible" aria-hidden="true">
          {levels.map((level) => (
            <line key={level} x2="100%" y1={`${y(level)}%`} y2={`${y(level)}%`} className="stroke-line" />
          ))}
          {activeIndex !== undefined && (
            <rect
              x={`${activeIndex * slot}%`}
              width={`${slot}%`}
              height="100%"
              className="fill-leaf [fill-opacity:0.15] forced-colors:fill-none forced-colors:stroke-[Highlight]"
            />
          )}
          {drawing === 'bars' ? (
            <Bars days={days} values={values} y={y} />
          ) : (
            <Line values={values} x={x} y={y} activeIndex={activeIndex} />
          )}
        </svg>
        {activeIndex !== undefined && (
          <p
            className="absolute bottom-full mb-3 w-max max-w-full rounded-lg border border-raised bg-raised px-2.5 py-0.5 text-center font-semibold text-sm text-white tabular-nums"
            // Shifted left by its position, so that it never crosses an edge.
            style={{ left: `${x(activeIndex)}%`, transform: `translateX(-${x(activeIndex)}%)` }}
          >
            {tip}
          </p>
        )}
      </div>
      <div className="relative col-start-2 mt-2 h-4 text-soft text-xs leading-4">
        {days.map((day, index) => {
          const before = days.length - 1 - index;
          if (before % labelEvery !== 0) return null;
          const order = before / labelEvery;
          return (
            <span
              key={day}
              className={join(
                'absolute whitespace-nowrap',
                before === 0 ? 'right-0' : '@max-[15rem]:transform-none transform-[translateX(-50%)]',
                // Every second or fourth label where more would overlap.
                order % 2 === 1 && '@max-xs:hidden',
                order % 4 === 2 && '@max-[15rem]:hidden',
              )}
              style={before === 0 ? undefined : { left: `${x(index)}%` }}
            >
              {formatCalendarDay(day).short}
            </span>
          );
        })}
      </div>
    </>
  );
}

function Bars({ days, values, y }: Pick<PlotProps, 'days' | 'values'> & { y: Scale }) {
  const slot = 100 / days.length;
  return days.map((day, index) => {
    const value = values[index] ?? 0;
    // A minimum height keeps any positive value visible.
    const height = value > 0 ? Math.max(100 - y(value), 1) : 0;
    return (
      <rect
        key={day}
        x={`${(index + 0.16) * slot}%`}
        width={`${0.68 * slot}%`}
        y={`${100 - height}%`}
        height={`${height}%`}
        rx="3"
        className="fill-leaf forced-colors:fill-[CanvasText]"
      />
    );
  });
}

type Scale = (value: number) => number;

function Line({ values, x, y, activeIndex }: Pick<PlotProps, 'values' | 'activeIndex'> & { x: Scale; y: Scale }) {
  const shape = area<number>((_, index) => x(index), 100, y);
  return (
    <>
      {/* SVG paths have no percentages: the path is stretched, but not its stroke. */}
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" className="overflow-visible" aria-hidden="true">
        <path d={shape(values) ?? undefined} className="fill-leaf [fill-opacity:0.1] forced-colors:fill-none" />
        <path
          d={shape.lineY1()(values) ?? undefined}
          vectorEffect="non-scaling-stroke"
          strokeWidth="2"
          strokeLinejoin="round"
          strokeLinecap="round"
          className="fill-none stroke-leaf forced-colors:stroke-[CanvasText]"
        />
      </svg>
      {activeIndex !== undefined && (
        <circle
          cx={`${x(activeIndex)}%`}
          cy={`${y(values[activeIndex] ?? 0)}%`}
          r="5"
          strokeWidth="2"
          className="fill-leaf stroke-card forced-colors:fill-[Highlight]"
        />
      )}
    </>
  );
}
