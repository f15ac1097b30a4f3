import { formatDayAndHour } from '#web/text/formats.ts';

/** A day and an hour, stacked in a narrow column. */
export function Moment({ instant }: { instant: string }) {
  const { day, hour } = formatDayAndHour(instant);
  return (
    <time dateTime={instant} className="tabular-nums">
      <span className="whitespace-nowrap">{day}</span> {hour}
    </time>
  );
}
