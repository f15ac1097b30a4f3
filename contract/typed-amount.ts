import { withinRange } from './money.ts';
import { plain } from './spelling.ts';

const currencyWritten = '(?:f(?:rs?|rancs?)?(?: ?cfa)?|cfa|xof)';
const amountWritten = new RegExp(
  String.raw`^(?:${currencyWritten} ?)?(\d+|\d{1,3}(?:([.,'])\d{3})(?:\2\d{3})*)(?: ?${currencyWritten}\.?)?$`,
  'i',
);

/**
 * Reads a typed amount (P7.4): whole CFA francs from 1 to `maximumAmount`, with or without the currency. Spaces may separate digits; a
 * dot, a comma or an apostrophe only thousands. Anything else, such as '1e4' or '5k', may mean another amount than its digits, and is
 * `undefined`.
 */
export function parseTypedAmount(typed: string): number | undefined {
  const text = plain(typed)
    .trim()
    .replace(/ +/g, ' ')
    .replace(/(?<=\d) (?=\d)/g, '');
  const digits = amountWritten.exec(text)?.[1]?.replace(/\D/g, '');
  return withinRange(Number(digits)) || undefined;
}
