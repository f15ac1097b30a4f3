import { nice, ticks } from 'd3-array';
import { area } from 'd3-shape';
import type { PointerEvent } from 'react';
import { formatCalendarDay, formatShortCount } from '#web/text/formats.ts';
import { join } from '#web/ui/join.ts';

interface Props {
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
export function DayPlot({ days, values, drawing, activeIndex, tip, onPoint, onLeave }: Props) {
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
        className="relative col-start-2 h-44 touch-pan-y"
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
              className="fill-leaf/15 forced-colors:fill-none forced-colors:stroke-[Highlight]"
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
            className="absolute bottom-full mb-3 w-max max-w-full rounded-lg border border-ink bg-ink px-2.5 py-0.5 text-center font-semibold text-sm text-white tabular-nums"
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
                before === 0 ? 'right-0' : '@max-[15rem]:translate-x-0 -translate-x-1/2',
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

interface BarsProps {
  days: string[];
  values: number[];
  y: (value: number) => number;
}

function Bars({ days, values, y }: BarsProps) {
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

interface LineProps {
  values: number[];
  x: (index: number) => number;
  y: (value: number) => number;
  activeIndex: number | undefined;
}

function Line({ values, x, y, activeIndex }: LineProps) {
  const shape = area<number>((_, index) => x(index), 100, y);
  return (
    <>
      {/* SVG paths have no percentages: the path is stretched, but not its stroke. */}
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" className="overflow-visible" aria-hidden="true">
        <path d={shape(values) ?? undefined} className="fill-leaf/10 forced-colors:fill-none" />
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
