import { possiblePhones, withoutSeparators } from '#contract/read-phone.ts';
import { plain } from '#contract/spelling.ts';
import { plainReference } from '#server/database/plain-reference.ts';

/** Fewest digits of the end of a phone number, as people tell it. */
const shortestEnding = 4;
/** Fewest letters of a searched word of a name: the index needs three. */
const shortestName = 3;
/** Most words of a name; more are a sentence. */
const longestName = 6;
/** Fewest letters and digits of a part of a payment reference; a shorter text is a whole one. */
export const shortestReferencePart = 6;
const highestId = 2_147_483_647;

/** The possible meanings of a search; each is looked for. */
export interface Meanings {
  ids: number[];
  /** Digits of a ticket number. */
  digits: string | undefined;
  /** Words that a name or an e-mail address must all contain. */
  name: string[];
  /** The last digits of a phone number. */
  ending: string | undefined;
  /** CFA francs. */
  total: number | undefined;
  /** In its plain form. */
  reference: string | undefined;
}

const currency = String.raw`(?:F\s?CFA|CFA|XOF|F(?![\p{L}\d]))`;
/** '1050', '1 050', '1.050' or '1,050.00', as operators write amounts. */
const number = String.raw`\d{1,3}(?:[\s.,]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?`;
const amountAlone = new RegExp(String.raw`^(${number})\s*${currency}?$`, 'iu');
const amounts = new RegExp(
  String.raw`(?<![\d.,])(${number})\s*${currency}|(?<!\p{L})${currency}\s*:?\s*(${number})`,
  'giu',
);

/** Reads CFA francs; decimals are dropped, since there is no smaller coin. */
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
/** The plain form of a text that may be a reference: it has no other marks. */
const possibleReference = (text: string) => (/[^\w\s./-]/.test(text) ? '' : (plainReference(text) ?? ''));

/** Reads a typed search for one thing, in any spelling. */
export function readMeanings(typed: string): Meanings {
  const search = plain(typed).replace(/ +/g, ' ').trim();
  const digits = /^\+?(\d+)$/.exec(withoutSeparators(search))?.[1] ?? '';
  const words = search.split(/ +/);
  const named = words.length <= longestName && words.every((word) => /\p{L}/u.test(word));
  const reference = possibleReference(search);
  const isPart = /^\d{1,10}$/.test(search);
  // The table shows numbers with spaces, and people copy them.
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

/** The facts in a pasted SMS of an operator. */
export interface Message {
  ids: number[];
  references: string[];
  /** E.164; a local number may give several. */
  phones: string[];
  /** CFA francs; the first is the payment's with every operator. */
  totals: number[];
}

/** Reads an SMS; `undefined` for any other text. */
export function readMessage(text: string): Message | undefined {
  if (!(/\s/.test(text) && /\p{L}/u.test(text) && /\d/.test(text))) return undefined;
  const ids = [
    ...text.matchAll(/(?:ticket|demande|n[°º])\s*(?:n[°º])?\s*(\d{1,3}(?:[\u00a0\u202f]\d{3})+|\d{1,10})/giu),
  ]
    .map(([, id = '']) => Number(id.replace(/\D/g, '')))
    .filter(isId);
  const words = plain(text);
  const totals = [...words.matchAll(amounts)].flatMap(([, before, after]) => readFrancs(before ?? after ?? '') ?? []);
  return { ids, references: referencesIn(words), phones: phonesIn(words), totals: [...new Set(totals)] };
}

function referencesIn(text: string): string[] {
  const words = text.split(/[\s,;:()]+/).map(possibleReference);
  return [...new Set(words.filter((word) => /^[A-Z0-9]{6,40}$/.test(word) && /\d{3}/.test(word)))];
}

/**
 * The phone numbers in a text. They are written in groups, and an amount or a date may follow, so the longest valid run of groups counts.
 */
function phonesIn(text: string): string[] {
  const found: string[] = [];
  for (const [run] of text.matchAll(/\+?\d+(?:[\s.-]\d+)*/g)) {
    const groups = run.split(/[\s.-]/);
    while (groups.length > 0) {
      const lengths = groups.map((_, index) => index + 1).toReversed();
      const phones = lengths.map((length) => ({ length, of: possiblePhones(groups.slice(0, length).join('')) }));
      const longest = phones.find(({ of }) => of.length > 0);
      found.push(...(longest?.of ?? []));
      groups.splice(0, longest?.length ?? 1);
    }
  }
  return [...new Set(found)];
}
