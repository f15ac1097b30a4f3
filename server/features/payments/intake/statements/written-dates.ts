import { hoursAhead } from '#contract/country-clock.ts';
import type { CountryCode } from '#contract/phone.ts';

/** The clock of a statement: its country's, and the present time. */
export interface StatementClock {
  country: CountryCode;
  now: Date;
}

/** A row's date: as written, as read, and the minute in its reference, if there is one. */
export interface WrittenDate {
  text: string;
  paidAt: Date;
  told: Date | undefined;
}

/** How far an operator's clock may be ahead of ours. */
const aheadMs = 10 * 60_000;
/** Around midnight a payment's reference and its date column may name different days. */
const aroundMidnightMs = 3_600_000;

/** Why a date cannot be its payment's, in French; undefined if it can. */
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
 * Dates of a column with day and month possibly swapped by a spreadsheet, by their places, each with the reason in French. A month-first
 * spreadsheet turns 03/11 into a date cell of 11 March, and leaves 23/11 as text. So if a column has texts, its date cells are doubted,
 * unless the day cannot be a month or the reference confirms it.
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

/** A date with day and month exchanged; undefined if that is no date. */
function swapped(day: string): string | undefined {
  const [year, month, date = ''] = day.split('-');
  return date <= '12' ? `${year}-${date}-${month}` : undefined;
}

/** '3 novembre 2026' */
const spell = (day: string) =>
  new Intl.DateTimeFormat('fr', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day)).replace(/^1 /, '1er ');
