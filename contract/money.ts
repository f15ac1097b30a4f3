import { plain } from './spelling.ts';

/** CFA francs have no subunit: every amount in this project is a whole number of francs. */

/** The highest amount an order may carry, in CFA francs: above any wallet ceiling of the seven countries. */
export const maximumAmount = 10_000_000;

/** numerator ÷ denominator, rounded half up; both non-negative integers. The only place money is rounded. */
export function divideRoundingHalfUp(numerator: number, denominator: number): number {
  return Math.floor((2 * numerator + denominator) / (2 * denominator));
}

// A number with thousands groups ("1 500", "1.500"; \s holds the narrow spaces), or plain digits; then cents, dropped.
const number = /(?<![\d.,])(\d{1,3}(?:[\s.,'’]\d{3})+(?!\d)|\d+)(?:[.,]\d{1,2}(?!\d))?/g;
const currencyAfter = /^\s*(?:F\b|FCFA|CFA|XOF|francs?)/i;
const spanBetween = /^\s*(?:[-–]|à)\s*$/;

const free = /^\s*gratuit/i;

/**
 * Reads a catalogue price such as 'À partir de 1 500 FCFA', in CFA francs. It is the number before a currency, else the
 * first number; of a span ('500 à 1 000 F') the lower end. 'Gratuit' without a number is 0. `undefined` for no amount, a
 * negative one, or one above `maximumAmount`.
 */
export function parsePrice(text: string | null | undefined): number | undefined {
  if (!text) return undefined;
  const found = [...text.matchAll(number)].map((match) => ({
    digits: (match[1] ?? '').replace(/\D/g, ''),
    start: match.index,
    end: match.index + match[0].length,
  }));
  let at = Math.max(
    found.findIndex((each) => currencyAfter.test(text.slice(each.end))),
    0,
  );
  const previous = found[at - 1];
  if (previous && spanBetween.test(text.slice(previous.end, found[at]?.start))) at -= 1;
  const chosen = found[at];
  if (!chosen) return free.test(text) ? 0 : undefined;
  if (/(?:^|\s)[-−]$/.test(text.slice(0, chosen.start))) return undefined;
  return withinRange(Number(chosen.digits));
}

const currencyWritten = '(?:f(?:rs?|rancs?)?(?: ?cfa)?|cfa|xof)';
const amountWritten = new RegExp(
  String.raw`^(?:${currencyWritten} ?)?(\d+|\d{1,3}(?:([.,'])\d{3})(?:\2\d{3})*)(?: ?${currencyWritten}\.?)?$`,
  'i',
);

/**
 * Reads a typed amount (P7.4): whole CFA francs from 1 to `maximumAmount`, where spaces stand between digits and a dot, a
 * comma or an apostrophe between thousands, with its currency or without. Anything else, such as '1e4' or '5k', may mean
 * another amount than its digits, and is `undefined`.
 */
export function parseTypedAmount(typed: string): number | undefined {
  const text = plain(typed)
    .trim()
    .replace(/ +/g, ' ')
    .replace(/(?<=\d) (?=\d)/g, '');
  const digits = amountWritten.exec(text)?.[1]?.replace(/\D/g, '');
  return withinRange(Number(digits)) || undefined;
}

function withinRange(value: number): number | undefined {
  return value <= maximumAmount ? value : undefined;
}
