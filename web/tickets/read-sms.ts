import { fold } from '#contract/fold.ts';
import { maximumAmount } from '#contract/money.ts';
import { paymentReferenceLength } from '#contract/tickets.ts';
import { referenceForms } from './payment-references.ts';

/** What a pasted text says of a payment. `amount` is in whole CFA francs; of an empty text nothing is said. */
export interface ReadSms {
  /** In capitals without spaces, as it is sent. */
  reference?: string;
  amount?: number | undefined;
  /** It says that the payment failed. */
  isFailure?: boolean;
  /** Why there is no reference. */
  problem?: 'none' | 'several';
}

const transaction = 'trans(?:action)?';
const number = '(?:n°|no|num(?:ero)?)';
/** What stands before a reference, the surest first; what comes after it is looked at only, since a label may be empty. */
const labels = [
  `(?:id|${number}|code|ref(?:erence)?) ?(?:de )?(?:la )?${transaction}|(?:${transaction}|txn) ?(?:id|${number})|tid`,
  'id',
  `ref(?:erence)?|${transaction}`,
].map(
  (label) => new RegExp(`(?<![a-z0-9])(?:${label})(?![a-z0-9])\\.? ?(?:est |[:=#] ?)?(?=([a-z0-9][a-z0-9._/-]*))`, 'g'),
);

/** A word after a label without what follows it unspaced: '….A00017.ofm mali', '10000000987frais:0f'. */
function trimWord(word: string): string {
  const parts = word.split('.');
  while (parts.length > 1 && !/\d/.test(parts.at(-1) ?? '')) parts.pop();
  return parts.join('.').replace(/^(\d{9,})[a-z].*$|[._/-]+$/, '$1');
}

const isReference = (word: string) =>
  word.length >= 6 && word.length <= paymentReferenceLength && (/\d/.test(word) || word.startsWith('t_'));

const isKnown = (word: string) => referenceForms.some(({ form }) => new RegExp(`^${form}$`).test(word));

/** The references that stand after the surest label of a folded text. */
function findLabelled(text: string): string[] {
  for (const label of labels) {
    const words = [...text.matchAll(label)].map(([, word = '']) => trimWord(word)).filter(isReference);
    if (words.length === 0) continue;
    const known = words.filter(isKnown);
    // Of several unknown references the last counts: a bill's own number precedes it.
    return known.length > 0 ? known : words.slice(-1);
  }
  return [];
}

/** References that only a wallet's form identifies; eleven digits only for the chosen wallet, and never a phone number. */
function findByForm(text: string, chosen: string | undefined): string[] {
  const forms = referenceForms.filter(({ wallet, isPlain }) => !isPlain || wallet === chosen);
  return forms.flatMap(({ form }) =>
    [...text.matchAll(new RegExp(`(?<![a-z0-9._+])${form}(?![a-z0-9])`, 'g'))].map(([word]) => trimWord(word)),
  );
}

/** A reference typed by hand, of a folded text, perhaps with spaces; undefined for words. */
function readTyped(text: string): string | undefined {
  const words = text.replace(/[. ]+$/, '').split(' ');
  const joined = words.join('');
  const isTyped =
    joined.length >= (words.length > 1 ? 6 : 4) &&
    joined.length <= paymentReferenceLength &&
    /^[a-z0-9._/-]*\d[a-z0-9._/-]*$/.test(joined) &&
    words.every((word) => /\d|^[a-z]{1,2}$/.test(word));
  return isTyped ? joined : undefined;
}

const written =
  /(?<![a-z\d.,*#-])(\d{1,3}(?:[ .,]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d+)?) ?(?:f ?cfa|xof|francs?|f)(?![a-z])|(?<![a-z])xof ?(\d+)/g;
const notPaid = /(?<![a-z])(?:solde|balance|frais|commission|taxe?|tva|bonus)(?![a-z])/;

/** The first amount of a folded text that is no balance and no fee; undefined where it is not whole francs. */
function readAmount(text: string): number | undefined {
  let end = 0;
  for (const found of text.matchAll(written)) {
    const before = text.slice(end, found.index);
    end = found.index + found[0].length;
    if (notPaid.test(before)) continue;
    const [, francs = '', centimes = '0'] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(found[1] ?? found[2] ?? '') ?? [];
    const amount = Number(francs.replace(/\D/g, ''));
    return Number(centimes) === 0 && amount > 0 && amount <= maximumAmount ? amount : undefined;
  }
  return undefined;
}

/** Characters that are read: an SMS of three parts has 459. */
const readAtMost = 2_000;

/** Reads a wallet's SMS, pasted whole, or a reference typed by hand; `wallet` is the name of the one that was chosen. */
export function readSms(pasted: string, wallet?: string): ReadSms {
  const text = fold(pasted.slice(0, readAtMost));
  if (!text) return {};
  const labelled = findLabelled(text);
  const amount = readAmount(text);
  const [reference = amount === undefined ? readTyped(text) : undefined, ...others] = new Set(
    labelled.length > 0 ? labelled : findByForm(text, wallet),
  );
  if (others.length > 0) return { problem: 'several' };
  if (reference === undefined) return { problem: 'none' };
  const isFailure = /(?<![a-z])(?:echec|echou|annule)/.test(text);
  return { reference: reference.toUpperCase(), amount, ...(isFailure && { isFailure }) };
}
