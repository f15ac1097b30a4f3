import { nice, ticks } from 'd3-array';
import { area } from 'd3-shape';
import type { PointerEvent } from 'react';
import { formatCalendarDay, formatShortCount } from '#web/text/formats.ts';
import { join } from '#web/ui/join.ts';

interface Props {
  /** 'YYYY-MM-DD', one after the other. */
  days: string[];
  /** Of each day; at least one is more than 0. */
  values: number[];
  drawing: 'bars' | 'line';
  /** The day that is told, by its index. */
  told: number | undefined;
  /** What is told of it. */
  tip: string | undefined;
  onPoint: (index: number) => void;
  onLeave: () => void;
}

/** Bars or a line over a scale and days. Everything is placed in percent, so that it fits any width without being measured. */
export function DayPlot({ days, values, drawing, told, tip, onPoint, onLeave }: Props) {
  const [, top] = nice(0, Math.max(...values), 4);
  // There is no half ticket.
  const levels = ticks(0, top, 4).filter(Number.isInteger);
  const slot = 100 / days.length;
  const x = (index: number) => (index + 0.5) * slot;
  const y = (value: number) => 100 - (100 * value) / top;
  const point = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const index = Math.floor(((event.clientX - left) / width) * days.length);
    onPoint(Math.min(Math.max(index, 0), days.length - 1));
  };
  // Counted from today, so that it has one; a week apart over 30 days.
  const labelEvery = Math.ceil(days.length / 4.5);
  return (
    <>
      {/* With very large text on a phone the drawing needs the room; the summary tells the highest day. */}
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
          {told !== undefined && (
            <rect
              x={`${told * slot}%`}
              width={`${slot}%`}
              height="100%"
              className="fill-leaf/15 forced-colors:fill-none forced-colors:stroke-[Highlight]"
            />
          )}
          {drawing === 'bars' ? (
            <Bars days={days} values={values} y={y} />
          ) : (
            <Line values={values} x={x} y={y} told={told} />
          )}
        </svg>
        {told !== undefined && (
          <p
            className="absolute bottom-full mb-3 w-max max-w-full rounded-lg border border-ink bg-ink px-2.5 py-0.5 text-center font-semibold text-sm text-white tabular-nums"
            // Its own share to the left as it goes right: never beyond an edge.
            style={{ left: `${x(told)}%`, transform: `translateX(-${x(told)}%)` }}
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
                // Every other one, or every fourth, where more would touch.
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
    // However few, more than none is seen.
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
  told: number | undefined;
}

function Line({ values, x, y, told }: LineProps) {
  const shape = area<number>((_, index) => x(index), 100, y);
  return (
    <>
      {/* A path knows no percent: it is stretched, and its stroke is not. */}
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
      {told !== undefined && (
        <circle
          cx={`${x(told)}%`}
          cy={`${y(values[told] ?? 0)}%`}
          r="5"
          strokeWidth="2"
          className="fill-leaf stroke-card forced-colors:fill-[Highlight]"
        />
      )}
    </>
  );
}
