import type { CountryCode } from '#contract/phone.ts';
import { amount, currency, fold, shapes } from './patterns.ts';
import { instantOfReference, readFrancs, readHundredths, readInstant, readPayer } from './read-values.ts';

/** A guess at a message that no pattern knows. A person confirms it before it counts. */
export interface Guess {
  /** CFA francs. */
  gross?: number | undefined;
  /** E.164. */
  payer?: string | undefined;
  reference?: string | undefined;
  /** Hundredths of a franc. */
  balanceAfter?: number | undefined;
  /** The payer's name, which is never stored; a template has a placeholder for it. */
  name?: string | undefined;
  paidAt?: string | undefined;
}

/** A part of a text. */
export interface Span {
  start: number;
  end: number;
  text: string;
}

export type AmountRole = 'montant' | 'solde' | 'frais';

/** A text whose folded form has the same length: letters composed, and each run of white space one character. */
export const spelled = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll('’', "'")
    .replace(/[^\S\n]*\n\s*/g, '\n')
    .replace(/[^\S\n]+/g, ' ')
    .trim();

const spansOf = (text: string, pattern: RegExp, group = 0): Span[] =>
  [...text.matchAll(pattern)].flatMap((found) => {
    const part = found[group];
    const start = found.index + found[0].indexOf(part ?? '');
    return part ? [{ start, end: start + part.length, text: part }] : [];
  });

const withCurrency = new RegExp(`(?<![a-z0-9.,*#/_-])(${amount})(?= ?${currency}(?![a-z0-9]))`, 'g');
const afterCurrency = new RegExp(`(?:xof|fcfa|cfa) ?(${amount})(?![\\w/:-]|[.,]\\d)`, 'g');
const labelled = new RegExp(
  `(?:montant|somme|solde|frais|commission)[a-z' ]{0,30}[:=]? ?(${amount})(?![\\w/:*#-]|[.,]\\d)`,
  'g',
);

/** The amounts of a folded text, with the role that the words before each suggest. */
export function findAmounts(folded: string): (Span & { role: AmountRole })[] {
  const found = [withCurrency, afterCurrency, labelled].flatMap((pattern) => spansOf(folded, pattern, 1));
  const once = found.filter(({ start }, index) => found.findIndex((each) => each.start === start) === index);
  return once
    .toSorted((a, b) => a.start - b.start)
    .map((span) => {
      const before = folded.slice(Math.max(0, span.start - 45), span.start);
      const said = /(solde|balance)|(frais|taxe|commission|fees?)/.exec(/[^\d]*$/.exec(before)?.[0] ?? '');
      return { ...span, role: said?.[1] ? 'solde' : said?.[2] ? 'frais' : 'montant' };
    });
}

const digitsOfPhone = /(?<![\w.,*/:#-])(?:\+|00)?\d(?:[ .-]?\d){6,14}(?![\w*#]|[.,:/-]\d)/g;
const masked = new RegExp(String.raw`(?<![\w.,/:#-])(?=\+?[\d ]{0,9}[*x]{2})${shapes.payeur}(?![\w*])`, 'g');

/** The phone numbers of a folded text, as `readPayer` reads them; for a masked one its last digits. */
export function findPhones(folded: string, country: CountryCode): (Span & { phone: string })[] {
  return [...spansOf(folded, digitsOfPhone), ...spansOf(folded, masked)].flatMap((span) => {
    const phone = readPayer(span.text, country);
    return phone && (phone.startsWith('+') || /[*x]/.test(span.text)) ? [{ ...span, phone }] : [];
  });
}

const identifier = String.raw`(?=[a-z._-]{0,12}\d)(${shapes.reference})`;
const labels = [
  String.raw`\b(?:(?:trans(?:action)?|txn|operation) ?id|id ?(?:trans(?:action)?|txn|de (?:la )?(?:transaction|operation))?|tid|txnid)`,
  String.raw`\b(?:ref(?:erence)?|numero de (?:la )?transaction|n° de (?:la )?transaction)`,
];
const referencePatterns = [
  ...labels.map((label) => new RegExp(`${label}(?: est)? ?[:.#=]? ?${identifier}`, 'g')),
  /(?<![\w.-])([a-z]{2}\d{6}\.\d{4}\.[a-z]?\d{4,11})(?![a-z0-9])/g,
];

/** Possible references in a folded text, the likeliest first. A word that touches a phone number is no part of one. */
export const findReferences = (folded: string): Span[] =>
  referencePatterns
    .flatMap((pattern) => spansOf(folded, pattern, 1))
    .map((span) => {
      const text = /^\d{6,}(?=[a-z]{3,}$)/.exec(span.text)?.[0] ?? span.text;
      return { ...span, text, end: span.start + text.length };
    })
    .filter(({ text }) => text.length >= 4);

// A name contains neither a number nor an amount.
const inName = String.raw`\p{L}(?:(?!\d{6}|\d ?(?:F|FCFA|CFA|XOF)\b)[^,()]){0,79}?`;
const afterPayer = new RegExp(String.raw`^ ?(?:, ?|\( ?|- ?)(${inName}) ?(?=[,)\n]|(?<=[\p{L}\d]{2})\.|$| le \d)`, 'u');
const beforePayer = new RegExp(String.raw`(?:^|[ \n])(?:[Dd]e|[Dd]u|[Pp]ar|[Ff]rom) ?:? ?(${inName})\s?[(-] ?$`, 'u');
const capitals = /(?<=\b(?:de|du|par|client|agent) )(?:\p{Lu}[\p{L}'-]+ ?|\p{Lu}\.? ?){1,6}/gu;
const noName =
  /^(?:f|fcfa|cfa|xof|id|tid|ref|orange|moov|mtn|momo|wave|telecel|mixx|yas|flooz|airtel|money|mobile|la|le|votre|numero|tel|date|solde)$/;

/** The payer's name in a spelled text: beside their number, else a run of capitals. */
function findName(text: string, payer: Span | undefined): string | undefined {
  const beside = payer && [
    afterPayer.exec(text.slice(payer.end))?.[1],
    beforePayer.exec(text.slice(0, payer.start))?.[1],
  ];
  const written = [...text.matchAll(capitals)].map(([name]) => name);
  return [...(beside ?? []), ...written]
    .map((name = '') => {
      const words = name.trim().split(/(?<=\s)/);
      while (words.length > 0 && noName.test(fold(words.at(-1) ?? ''))) words.pop();
      return words.join('').replace(/[\s.]+$/, '');
    })
    .find((name) => /\p{L}{2}/u.test(name));
}

/** Guesses the payment in a message to an account of a country. */
export function guessPayment(text: string, country: CountryCode): Guess {
  const plain = spelled(text);
  const folded = fold(plain);
  const [reference] = findReferences(folded);
  const isFree = ({ start, end }: Span) => !reference || end <= reference.start || start >= reference.end;
  const amounts = findAmounts(folded).filter(isFree);
  const phones = findPhones(folded, country).filter(isFree);
  const payer = phones.find(({ phone }) => phone.startsWith('+'));
  const balance = amounts.find(({ role }) => role === 'solde');
  const paid = amounts.find(({ role, text }) => role === 'montant' && readFrancs(text) !== undefined);
  const date = new RegExp(shapes.date).exec(folded)?.[0];
  const hour = date && new RegExp(String.raw`(?<!\d)${shapes.heure}`).exec(folded)?.[0];
  const told = reference?.text.toUpperCase();
  return {
    gross: paid && readFrancs(paid.text),
    payer: payer?.phone,
    reference: told,
    balanceAfter: balance && readHundredths(balance.text),
    name: folded.length === plain.length ? findName(plain, payer ?? phones[0]) : undefined,
    paidAt: date && hour ? readInstant(date, hour, country) : told && instantOfReference(told, country),
  };
}
