import { countries, countryOf, findCountry, nationalDigits, readPhone, withoutSeparators } from '#contract/phone.ts';

/** What stands in a field, and how many of its characters stand before the caret. */
export interface Typing {
  text: string;
  caret: number;
  /** The character after the caret was taken away, not the one before: the caret goes on past a space. */
  forward?: boolean;
}

/** A number being typed: of the country whose code stands beside it, unless it begins with '+' or '00' itself. */
export interface TypedPhone {
  code: string;
  number: string;
}

/** Puts a space before the digits that `begins` names; the caret stays behind the same number of digits. */
function space(digits: string, before: number, begins: (place: number) => boolean, forward = false): Typing {
  let text = '';
  let caret = 0;
  for (const [place, digit] of [...digits].entries()) {
    text += place > 0 && begins(place) ? ` ${digit}` : digit;
    if (place === before - 1) caret = text.length;
  }
  return { text, caret: forward && text[caret] === ' ' ? caret + 1 : caret };
}

/** Groups an amount in threes as it is typed. What is more than digits and spaces stays: a dot or comma may mean cents. */
export function groupAmount(typing: Typing): Typing {
  const { text, caret, forward } = typing;
  if (/[^\d\s]/.test(text)) return typing;
  const digits = text.replace(/\s/g, '');
  const before = text.slice(0, caret).replace(/\s/g, '').length;
  return space(digits, before, (place) => (digits.length - place) % 3 === 0, forward);
}

/** The country that digits begin with, '+226…' or '00226…', or a whole number of it without either; and what follows. */
function splitInternational(digits: string): TypedPhone | undefined {
  const full = digits.replace(/^00/, '+');
  const named = countries.find(({ code }) => full.startsWith(code));
  if (named) return { code: named.code, number: full.slice(named.code.length) };
  // Without a country of its own, only a number that begins with one is read.
  const reading = readPhone(digits, '');
  const country = 'e164' in reading ? countryOf(reading.e164) : undefined;
  return country && 'e164' in reading ? { code: country.code, number: nationalDigits(reading.e164) } : undefined;
}

/**
 * Groups a number as its country writes it, while it is typed or pasted; one that begins with the code of one of the seven
 * brings its country along. No digit is lost or changed, and what is no number, or another country's, stays as it is.
 */
export function groupPhone(typing: Typing, code: string): TypedPhone & { caret: number } {
  const { text, caret, forward } = typing;
  const digits = withoutSeparators(text);
  const international = splitInternational(digits);
  const { code: country, number } = international ?? { code, number: digits };
  if (/[^0-9]/.test(number) || (!international && number.startsWith('00'))) return { code, number: text, caret };
  const before = withoutSeparators(text.slice(0, caret)).length - (digits.length - number.length);
  const groups = findCountry(country)?.groups ?? [];
  const ends = groups.map((_, index) => groups.slice(0, index + 1).reduce((sum, size) => sum + size));
  const grouped = space(number, before, (place) => ends.includes(place), forward);
  return { code: country, number: grouped.text, caret: grouped.caret };
}

/** What was typed, as a text that says its country; empty when no number was typed. */
export function phoneText({ code, number }: TypedPhone): string {
  const typed = number.trim();
  return /^(?:\+|00|$)/.test(typed) ? typed : `${code} ${typed}`;
}
