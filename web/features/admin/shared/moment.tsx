import { formatDate, formatDayAndHour } from '#web/text/formats.ts';

/** A day and an hour, stacked where they do not fit on one line. The title is the whole date: this year is left out. */
export function Moment({ instant }: { instant: string }) {
  const { day, hour } = formatDayAndHour(instant);
  return (
    <time dateTime={instant} title={formatDate(instant)} className="tabular-nums">
      <span className="whitespace-nowrap">{day.replace(`/${new Date().getFullYear()}`, '')}</span> {hour}
    </time>
  );
}
