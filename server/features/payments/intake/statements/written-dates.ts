import { hoursAhead } from '#contract/country-clock.ts';
import type { CountryCode } from '#contract/phone.ts';

/** The clock that a statement is read on: its country's, and what time it is. */
export interface StatementClock {
  country: CountryCode;
  now: Date;
}

/** A row's date: as its cells write it, as it reads, and the minute that its reference tells, if it tells one. */
export interface WrittenDate {
  text: string;
  paidAt: Date;
  told: Date | undefined;
}

/** An operator's clock that is ahead of ours. */
const aheadMs = 10 * 60_000;
/** A payment around midnight has the one day in its reference and the other in its column. */
const aroundMidnightMs = 3_600_000;

/** Why a date cannot be that of its payment, in French; undefined where nothing contradicts it. */
export function contradiction({ paidAt, told }: WrittenDate, { country, now }: StatementClock): string | undefined {
  const day = dayOf(paidAt, country);
  if (told && isOtherDay(paidAt, told, country)) {
    const isSwap = swapped(day) === dayOf(told, country);
    return `La date (${spell(day)}) contredit la référence (${spell(dayOf(told, country))}).${isSwap ? bySpreadsheet : ''}`;
  }
  if (paidAt.getTime() <= now.getTime() + aheadMs) return undefined;
  const other = swapped(day);
  const isSwap = other !== undefined && other !== day && other <= dayOf(now, country);
  return `La date (${spell(day)}) est dans le futur.${isSwap ? bySpreadsheet : ''}`;
}

/**
 * Which of a column's dates a spreadsheet may have swapped, by their places, each with why, in French. A spreadsheet that takes
 * the month first turns 03/11 into a date cell of 11 March, and leaves 23/11 the text that it was: where a column has texts, its
 * cells are not believed, unless their day cannot be a month or their reference tells it.
 */
export function swappedDates(dates: readonly WrittenDate[], { country }: StatementClock): Map<number, string> {
  if (!dates.some(({ text }) => /^\d{1,2}[/.-]/.test(text))) return new Map();
  return new Map(
    dates.flatMap(({ text, paidAt, told }, place): [number, string][] => {
      const day = dayOf(paidAt, country);
      const other = swapped(day);
      if (!/^\d{4}-/.test(text) || told || other === undefined || other === day) return [];
      return [[place, `La date (${spell(day)}) n'est pas écrite comme les autres de sa colonne.${bySpreadsheet}`]];
    }),
  );
}

const bySpreadsheet = ' Un tableur a sans doute inversé jour et mois.';

/** The day of an instant on a country's clock, `yyyy-mm-dd`. */
const dayOf = (at: Date, country: CountryCode) =>
  new Date(at.getTime() + hoursAhead(country) * 3_600_000).toISOString().slice(0, 10);

function isOtherDay(paidAt: Date, told: Date, country: CountryCode): boolean {
  const isNear = Math.abs(paidAt.getTime() - told.getTime()) <= aroundMidnightMs;
  return !isNear && dayOf(paidAt, country) !== dayOf(told, country);
}

/** A day with day and month exchanged; undefined where that is none. */
function swapped(day: string): string | undefined {
  const [year, month, date = ''] = day.split('-');
  return date <= '12' ? `${year}-${date}-${month}` : undefined;
}

/** '3 novembre 2026' */
const spell = (day: string) =>
  new Intl.DateTimeFormat('fr', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day)).replace(/^1 /, '1er ');
