import { isFree } from '#contract/pricing.ts';

const numbers = new Intl.NumberFormat('fr-FR');
const shortNumbers = new Intl.NumberFormat('fr-FR', { notation: 'compact' });
const megabytes = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 1, minimumFractionDigits: 1 });
const dates = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeStyle: 'short' });

const ago = new Intl.RelativeTimeFormat('fr-FR', { numeric: 'auto', style: 'short' });
const shortDays = new Intl.DateTimeFormat('fr-FR', { day: 'numeric', month: 'short' });
const shortDaysOfYears = new Intl.DateTimeFormat('fr-FR', { day: 'numeric', month: 'short', year: 'numeric' });
const headings = new Intl.DateTimeFormat('fr-FR', { weekday: 'long', day: 'numeric', month: 'long' });
const headingsOfYears = new Intl.DateTimeFormat('fr-FR', { day: 'numeric', month: 'long', year: 'numeric' });
const days = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'short' });
// Calendar days are parsed and formatted in one time zone.
const weekdays = new Intl.DateTimeFormat('fr-FR', { weekday: 'long', timeZone: 'UTC' });
const shortWeekdays = new Intl.DateTimeFormat('fr-FR', { weekday: 'short', timeZone: 'UTC' });
const calendarDays = new Intl.DateTimeFormat('fr-FR', { day: 'numeric', month: 'long', timeZone: 'UTC' });
const shortCalendarDays = new Intl.DateTimeFormat('fr-FR', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const hours = new Intl.DateTimeFormat('fr-FR', { timeStyle: 'short' });

/** '1 025 FCFA', without line breaks; groups are separated by a narrow space. */
export function formatAmount(francs: number): string {
  return `${numbers.format(francs)}\u00a0FCFA`;
}

/** The total of a path of services: 'Gratuit' for a price of 0; without any price, that an agent gives it. */
export function formatTotal(francs: number, path: readonly { price: string | null }[]): string {
  return formatCharge(francs, isFree(francs, path));
}

/** The same where it is known whether 0 is a price. */
export function formatCharge(francs: number, isFree: boolean): string {
  if (francs > 0) return formatAmount(francs);
  return isFree ? 'Gratuit' : 'Communiqué par un agent';
}

/** An amount for the face of titles, beside whose digits a narrow space is not seen. */
export const spaceAmount = (amount: string): string => amount.replaceAll('\u202f', '\u00a0');

/** A sentence without line breaks between a number and its unit, such as '7 jours'. */
export const keepUnits = (words: string): string => words.replace(/(\d) (?=\p{L})/gu, '$1\u00a0');

/** '21 novembre 2026 à 14:05', in the phone's own time zone. */
export function formatDate(instant: string): string {
  return dates.format(new Date(instant));
}

/** 'à l'instant', 'il y a 5 min', 'il y a 3 h', 'hier', then '21 nov.' with another year. `now` is in milliseconds; days are the phone's. */
export function formatRelative(instant: string, now: number): string {
  const date = new Date(instant);
  const minutes = Math.floor((now - date.getTime()) / 60_000);
  // Phone and server clocks differ.
  if (minutes < 1 && minutes > -60) return "à l'instant";
  if (minutes > 0 && minutes < 60) return ago.format(-minutes, 'minute');
  const today = new Date(now);
  const daysAgo = Math.round((startOfDay(today) - startOfDay(date)) / 86_400_000);
  if (minutes > 0 && daysAgo === 0) return ago.format(-Math.floor(minutes / 60), 'hour');
  if (daysAgo === 1) return ago.format(-1, 'day');
  const day = (date.getFullYear() === today.getFullYear() ? shortDays : shortDaysOfYears).format(date);
  return day.replace(/^1 /, '1er ');
}

/** Midnight before an instant in the phone's time zone, in milliseconds. */
const startOfDay = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();

/** '21/11/2026' and '14:05', for a narrow column. */
export function formatDayAndHour(instant: string): { day: string; hour: string } {
  const date = new Date(instant);
  return { day: days.format(date), hour: hours.format(date) };
}

/** The heading of a day in a list: 'Aujourd'hui', 'Hier', 'samedi 14 novembre', with the year if it is not this one. */
export function formatDayHeading(instant: string, now: Date): string {
  const date = new Date(instant);
  const day = days.format(date);
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  if (day === days.format(now)) return "Aujourd'hui";
  if (day === days.format(yesterday)) return 'Hier';
  const format = date.getFullYear() === now.getFullYear() ? headings : headingsOfYears;
  return format.format(date).replace(/\b1 /, '1er ');
}

/** '14 novembre 2026' */
export function formatLongDay(instant: string): string {
  return headingsOfYears.format(new Date(instant)).replace(/^1 /, '1er ');
}

/** The rows of a list, which is sorted by time, by the day of their creation. */
export function groupByDay<Row extends { createdAt: string }>(
  rows: readonly Row[],
  today: Date,
): { heading: string; rows: Row[] }[] {
  const days: { heading: string; rows: Row[] }[] = [];
  for (const row of rows) {
    const heading = formatDayHeading(row.createdAt, today);
    const last = days.at(-1);
    if (last?.heading === heading) last.rows.push(row);
    else days.push({ heading, rows: [row] });
  }
  return days;
}

/** '12,4 Mo' */
export function formatMegabytes(bytes: number): string {
  return `${megabytes.format(bytes / 1_000_000)} Mo`;
}

/** '1 932' */
export function formatCount(count: number): string {
  return numbers.format(count);
}

/** '1 932 tickets', '1 ticket'; each word of `one` gets an s, and 0 none. */
export function formatCounted(count: number, one: string): string {
  return `${numbers.format(count)}\u00a0${count < 2 ? one : one.replace(/(?<=\p{L})(?= |$)/gu, 's')}`;
}

/** '1,5 M' and '20 k', for a chart's axis. */
export function formatShortCount(count: number): string {
  return shortNumbers.format(count);
}

/** Formats of a calendar day such as '2026-11-14': '14 novembre', '14 nov.', 'samedi 14 novembre', 'sam. 14 nov.' */
export function formatCalendarDay(day: string) {
  const date = new Date(`${day}T00:00Z`);
  // The first of a month is an ordinal in French, which Intl does not support.
  const withOrdinal = (format: Intl.DateTimeFormat) => format.format(date).replace(/^1 /, '1er ');
  const long = withOrdinal(calendarDays);
  const short = withOrdinal(shortCalendarDays);
  return {
    long,
    short,
    longWithWeekday: `${weekdays.format(date)} ${long}`,
    shortWithWeekday: `${shortWeekdays.format(date)} ${short}`,
  };
}
