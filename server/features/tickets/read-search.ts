import { withoutSeparators } from '#contract/read-phone.ts';
import { plain } from '#contract/spelling.ts';

/** The fewest digits that are taken for the end of a phone number: what people say of it. */
const shortestEnding = 4;
/** The fewest letters of a word of a name that are looked for: the index holds three. */
const shortestName = 3;
/** More words are a sentence, which is nobody's name. */
const longestName = 6;
const highestId = 2_147_483_647;

/** What a search may be: each part is looked for by itself. */
export interface Meanings {
  ids: number[];
  /** Digits alone, which are part of a number. */
  digits: string | undefined;
  /** Words of a name or e-mail address, which has all of them. */
  name: string[];
  /** The last digits of a phone number. */
  ending: string | undefined;
  /** CFA francs. */
  total: number | undefined;
  /** Without marks. */
  reference: string | undefined;
}

const currency = String.raw`(?:F\s?CFA|CFA|XOF|F(?![\p{L}\d]))`;
/** '1050', '1 050', '1.050' or '1,050.00', as operators write amounts. */
const number = String.raw`\d{1,3}(?:[\s.,]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?`;
const amountAlone = new RegExp(String.raw`^(${number})\s*${currency}?$`, 'iu');

/** Francs; decimals are dropped, since there is no smaller coin. */
function readFrancs(written: string): number | undefined {
  const francs = Number(written.replace(/[.,]\d{1,2}$/, '').replace(/\D/g, ''));
  return francs > 0 && francs <= highestId ? francs : undefined;
}

const numberSign = '(?:n ?[°ºo]|№|num[ée]ro|#)';
/** A ticket's number as the product writes it: 'Ticket n° 123 456', '#123456', 'Motif : T123456', 'recu-123456.png', an address. */
const numberNamed = new RegExp(
  String.raw`^(?:(?:ticket|demande|re[çc]u)s? ?${numberSign}?|${numberSign}|(?:motif ?: ?)?t(?=[ -]?\d+$)|\S*/tickets/)[ .:-]*(\d{1,3}(?: \d{3})+|\d{1,10})(?:\.png|[ .:;,!?]*)$`,
  'iu',
);

const isId = (id: number) => id > 0 && id <= highestId;
const plainReference = (text: string) => text.toUpperCase().replace(/[\s._/-]/g, '');

/** What a person says: one thing, typed in any way. */
export function readMeanings(typed: string): Meanings {
  const search = plain(typed).replace(/ +/g, ' ').trim();
  const digits = /^\+?(\d+)$/.exec(withoutSeparators(search))?.[1] ?? '';
  const words = search.split(/ +/);
  const named = words.length <= longestName && words.every((word) => /\p{L}/u.test(word));
  const reference = plainReference(search);
  const isPart = /^\d{1,10}$/.test(search);
  // The table shows numbers with spaces, and they are copied from there.
  const id = Number(numberNamed.exec(search)?.[1]?.replaceAll(' ', '') ?? digits);
  return {
    ids: isId(id) && !isPart ? [id] : [],
    digits: isPart ? search : undefined,
    name: named ? words.filter((word) => word.length >= shortestName) : [],
    ending: digits.length >= shortestEnding ? digits.replace(/^00/, '') : undefined,
    total: readFrancs(amountAlone.exec(search)?.[1] ?? ''),
    reference: /^[A-Z0-9]{4,40}$/.test(reference) && /\d/.test(reference) ? reference : undefined,
  };
}
