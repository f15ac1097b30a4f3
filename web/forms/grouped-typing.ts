import type { ChangeEvent, CompositionEvent } from 'react';
import { countries, countryOf, findCountry, nationalDigits } from '#contract/phone.ts';
import { readPhone, withoutSeparators } from '#contract/read-phone.ts';

/** The text of a field, and its caret as a number of characters. */
interface Typing {
  text: string;
  caret: number;
  /** The character after the caret was deleted (Delete, not Backspace): the caret moves past a space. */
  forward?: boolean;
}

/** A partly typed number and the country code beside it; a number may begin with '+' or '00' itself. */
export interface TypedPhone {
  code: string;
  number: string;
}

/** Inserts a space before the digits that `begins` selects; the caret stays behind the same digit. */
function space(digits: string, before: number, begins: (place: number) => boolean, forward = false): Typing {
  let text = '';
  let caret = 0;
  for (const [place, digit] of [...digits].entries()) {
    text += place > 0 && begins(place) ? ` ${digit}` : digit;
    if (place === before - 1) caret = text.length;
  }
  return { text, caret: forward && text[caret] === ' ' ? caret + 1 : caret };
}

/** Groups an amount in threes during typing. Other characters stay: a dot or comma may mean cents. */
export function groupAmount(typing: Typing): Typing {
  const { text, caret, forward } = typing;
  if (/[^\d\s]/.test(text)) return typing;
  const digits = text.replace(/\s/g, '');
  const before = text.slice(0, caret).replace(/\s/g, '').length;
  return space(digits, before, (place) => (digits.length - place) % 3 === 0, forward);
}

/** The country of digits that begin with '+226…' or '00226…', or form a complete number of it, and the rest. */
function splitInternational(digits: string): TypedPhone | undefined {
  const full = digits.replace(/^00/, '+');
  const named = countries.find(({ code }) => full.startsWith(code));
  if (named) return { code: named.code, number: full.slice(named.code.length) };
  // Without a country, only a number that begins with a country code is read.
  const reading = readPhone(digits, '');
  const country = 'e164' in reading ? countryOf(reading.e164) : undefined;
  return country && 'e164' in reading ? { code: country.code, number: nationalDigits(reading.e164) } : undefined;
}

/** Groups a number as its country writes it; its own country code selects that. No digit is lost, and other text stays. */
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

/** The typed number with its country code; empty without a number. */
export function phoneText({ code, number }: TypedPhone): string {
  const typed = number.trim();
  return /^(?:\+|00|$)/.test(typed) ? typed : `${code} ${typed}`;
}

/** A change of a field, or the end of a composition in it. */
export type TypingEvent = ChangeEvent<HTMLInputElement> | CompositionEvent<HTMLInputElement>;

/**
 * Regroups the text just typed into a field, restores the caret, which React would move, and answers the text. While a
 * keyboard composes nothing is rewritten, since it would commit its digits again: a field calls this at the end too.
 */
export function retype(
  { currentTarget: field, nativeEvent }: TypingEvent,
  regroup: (typing: Typing) => Typing,
): string {
  const { isComposing, inputType } = nativeEvent as InputEvent;
  if (isComposing) return field.value;
  const caret = field.selectionStart ?? field.value.length;
  const regrouped = regroup({ text: field.value, caret, forward: inputType === 'deleteContentForward' });
  field.value = regrouped.text;
  field.setSelectionRange(regrouped.caret, regrouped.caret);
  return regrouped.text;
}
