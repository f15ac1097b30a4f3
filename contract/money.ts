/** CFA francs have no subunit: every amount is a whole number of francs. */

/** The highest amount an order may carry, in CFA francs: above any wallet ceiling of the seven countries. */
export const maximumAmount = 10_000_000;

/** numerator ÷ denominator, rounded half up; both non-negative integers. The only place money is rounded. */
export function divideRoundingHalfUp(numerator: number, denominator: number): number {
  return Math.floor((2 * numerator + denominator) / (2 * denominator));
}

// A number with grouped thousands ("1 500", "1.500"; \s includes narrow spaces) or plain digits, and maybe two digits of cents.
const number = /(?<![\d.,])(\d{1,3}(?:[\s.,'’]\d{3})+(?!\d)|\d+)(?:[.,](\d\d)(?!\d))?/g;
const currencyAfter = /^\s*(?:F(?:rs?)?\b|FCFA|CFA|XOF|francs?)/i;
/** Text between the ends of a span: '500 à 1 000 F', '500 F - 1 000 F'. */
const spanBetween = /^\s*(?:(?:F(?:rs?)?|F?\s?CFA|XOF|francs?)\s*){0,2}(?:\p{Pd}|à)\s*$/iu;
/** Text between numbers that form one amount or are two: '1 5000 F', '100 et 200 F', '2 x 500 F'. */
const joinedBy = /^(?:[\s.,'’]*|\s*(?:et|ou|[/+x×*=])\s*)$/i;
/** Text before a number that is part of a word, of another currency, or negative. */
const noPriceBefore = /[\p{L}\p{N}](?<!F|CFA|XOF)$|[€$£]\s*$|^\s*[\p{Pd}−]\s*$|[^\p{L}\p{N})][\p{Pd}−]$/iu;
/** Text after a number that is no price: '48 h', '2 Go', '1,5', '1e3', '10 €'. */
const noCurrencyAfter =
  /^\s*(?:$|[/(),;:.!…\p{Pd}](?!\d)|l['’]|(?:par|la|le|les|chaque|pour|TTC|HT|net|minimum|environ|(?:et|ou) plus)(?!\p{L}))/iu;

const free = /^\s*gratuit/i;

/**
 * Reads a catalogue price such as 'À partir de 1 500 FCFA', in CFA francs. It is the number before a currency, else the only number; of a
 * span ('500 à 1 000 F') the lower end. 'Gratuit' without a number is 0. `undefined` for no amount, for several or ambiguous ones, for a
 * negative one, or one above `maximumAmount`.
 */
export function parsePrice(text: string | null | undefined): number | undefined {
  if (!text) return undefined;
  const found = [...text.matchAll(number)];
  if (found.length === 0) return free.test(text) ? 0 : undefined;
  const after = (at: number) => text.slice(endOf(found[at]));
  const between = (at: number) => text.slice(endOf(found[at - 1]), found[at]?.index);
  const priced = found.flatMap((_, at) => (currencyAfter.test(after(at)) ? [at] : []));
  const last = priced.at(-1) ?? found.length - 1;
  const first = last > 0 && spanBetween.test(between(last)) ? last - 1 : last;
  if (priced.some((at) => at < first)) return undefined;
  if (priced.length === 0 && (first > 0 || !noCurrencyAfter.test(after(last)))) return undefined;
  if (first > 0 && joinedBy.test(between(first))) return undefined;
  const [, digits = '', cents = '0'] = found[first] ?? [];
  if (noPriceBefore.test(text.slice(0, found[first]?.index))) return undefined;
  const francs = Number(digits.replace(/\D/g, ''));
  return francs === 0 && Number(cents) > 0 ? undefined : withinRange(francs);
}

const endOf = (match: RegExpExecArray | undefined) => (match ? match.index + match[0].length : 0);

/** Whether a catalogue price has digits but no readable amount. A price in words only is given by an agent. */
export function isPriceUnreadable(text: string | null | undefined): boolean {
  return /\p{N}/u.test(text ?? '') && parsePrice(text) === undefined;
}

/** An amount that an order may carry, or nothing. */
export function withinRange(value: number): number | undefined {
  return value <= maximumAmount ? value : undefined;
}
