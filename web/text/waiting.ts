import { formatDayAndHour, formatDayHeading } from './formats.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

const inDays = (days: number) => (days === 1 ? 'un jour' : `${days}\u00a0jours`);

/** How long something waits: 'moins d'une minute', '5 min', '3 h', 'un jour', '4 jours'. `now` is in milliseconds. */
export function formatWait(instant: string, now: number): string {
  const seconds = (now - Date.parse(instant)) / 1000;
  // Phone and server clocks differ.
  if (seconds < minute) return "moins d'une minute";
  if (seconds < hour) return `${Math.floor(seconds / minute)}\u00a0min`;
  if (seconds < day) return `${Math.floor(seconds / hour)}\u00a0h`;
  return inDays(Math.floor(seconds / day));
}

/** When something was, by the phone's clock: 'à 16:49', 'hier à 16:49', 'le samedi 14 novembre à 16:49'. */
export function formatMoment(instant: string, now: number): string {
  const heading = formatDayHeading(instant, new Date(now));
  const at = `à\u00a0${formatDayAndHour(instant).hour}`;
  if (heading === "Aujourd'hui") return at;
  return `${heading === 'Hier' ? 'hier' : `le ${heading}`} ${at}`;
}

/** A usual time, never less than it is: 'en 12 min', 'en 25 min', 'en 2 h', 'en un jour', 'en 3 jours'. */
export function formatUsualTime(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / minute));
  // Longer waits are rounded: single minutes would be false precision.
  const rounded = minutes <= 15 ? minutes : 5 * Math.ceil(minutes / 5);
  if (rounded < 60) return `en ${rounded}\u00a0min`;
  const hours = Math.ceil(seconds / hour);
  if (hours <= 12) return `en ${hours}\u00a0h`;
  return `en ${inDays(Math.ceil(seconds / day))}`;
}
