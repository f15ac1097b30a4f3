import type { CountryCode } from '#contract/phone.ts';
import {
  findAmounts,
  findPhones,
  findReferences,
  type Guess,
  guessPayment,
  type Span,
  spelled,
} from './guess-payment.ts';
import { amount, fold, type Placeholder, shapes } from './patterns.ts';
import { readFrancs, readHundredths } from './read-values.ts';

/** The values that a person confirms in a message; `gross` is required. */
export type Confirmed = Omit<Guess, 'paidAt'> & { gross: number };

/** A part of a message's text, with the placeholder that stands for it in a template. */
export interface TemplatePart {
  text: string;
  placeholder?: Placeholder;
}

/** A typed value is not in the text, or the text contains a sign that templates use. */
export class TemplateRefusal extends Error {
  readonly field: keyof Confirmed | 'learn';

  constructor(field: keyof Confirmed | 'learn', message: string) {
    super(message);
    this.field = field;
  }
}

type Mark = Pick<Span, 'start' | 'end'> & { placeholder: Placeholder };

const anyAmount = new RegExp(String.raw`(?<![\w.,*#/-])${amount}(?!\d)`, 'g');
const typed = /\b(?:motif|objet|libelle|note|message|raison|commentaire|ref(?:erence)?) ?: ?/g;
const missing = (what: string) =>
  `${what} n'est pas dans le texte\u00a0: corrigez, ou ne cochez pas «\u00a0Lire ainsi les suivants\u00a0».`;

/**
 * Splits a message into the parts of its template. Each confirmed value becomes a placeholder, and so does whatever else differs between
 * messages. Throws `TemplateRefusal`.
 */
export function partsOf(text: string, confirmed: Confirmed, country: CountryCode): TemplatePart[] {
  const plain = spelled(text);
  const folded = fold(plain);
  if (/[{}]/.test(plain) || folded.length !== plain.length)
    throw new TemplateRefusal('learn', 'Ce texte a des signes dont aucune forme ne peut être faite.');
  const marks: Mark[] = [];
  const isFree = ({ start, end }: Pick<Span, 'start' | 'end'>) =>
    marks.every((mark) => end <= mark.start || start >= mark.end);
  const mark = (placeholder: Placeholder, spans: readonly Pick<Span, 'start' | 'end'>[]): boolean => {
    const free = spans.filter(isFree);
    marks.push(...free.map(({ start, end }) => ({ start, end, placeholder })));
    return free.length > 0;
  };
  const find = (pattern: RegExp): Span[] =>
    [...folded.matchAll(pattern)].map((found) => ({
      start: found.index,
      end: found.index + found[0].length,
      text: found[0],
    }));
  const findWhole = (word: string) => {
    const after = /\d$/.test(word) ? String.raw`(?!\d)` : '(?![a-z0-9])';
    return find(new RegExp(`(?<![a-z0-9])${fold(word).replace(/[^a-z0-9 ]/g, '\\$&')}${after}`, 'g'));
  };

  const { gross, payer, reference, balanceAfter, name } = confirmed;
  if (reference && !mark('reference', findWhole(reference)))
    throw new TemplateRefusal('reference', missing('Cette référence'));
  const phones = findPhones(folded, country);
  const ofPayer = phones.filter(({ phone, text: digits }) => (payer ? phone === payer : /[*x]/.test(digits)));
  if (!mark('payeur', ofPayer) && payer) throw new TemplateRefusal('payer', missing('Ce numéro'));
  if (name && !mark('nom', findWhole(name))) throw new TemplateRefusal('name', missing('Ce nom'));
  const likely = name ? undefined : guessPayment(text, country).name;
  if (likely && findWhole(likely).some(isFree))
    throw new TemplateRefusal(
      'name',
      `«\u00a0${likely}\u00a0» ressemble à un nom\u00a0: écrivez le nom qui est dans le message, pour qu'il ne soit pas gardé.`,
    );
  const amounts = findAmounts(folded);
  const bare = find(anyAmount);
  const isGross = ({ text: digits }: Span) => readFrancs(digits) === gross;
  const ofGross = amounts.filter((each) => each.role === 'montant' && isGross(each));
  if (!mark('montant', ofGross.length > 0 ? ofGross : [...amounts, ...bare].filter(isGross).slice(0, 1)))
    throw new TemplateRefusal('gross', missing('Ce montant'));
  if (balanceAfter !== undefined) {
    const isBalance = ({ text: digits }: Span) => readHundredths(digits) === balanceAfter;
    const ofBalance = amounts.filter((each) => each.role === 'solde' && isBalance(each));
    if (!mark('solde', ofBalance.length > 0 ? ofBalance : [...amounts, ...bare].filter(isBalance).slice(0, 1)))
      throw new TemplateRefusal('balanceAfter', missing('Ce solde'));
  }
  mark('heure', find(new RegExp(String.raw`(?<![\d:])${shapes.heure}`, 'g')));
  mark('date', find(new RegExp(String.raw`(?<![\d/-])(?:${shapes.date})(?![\d/-])`, 'g')));
  mark('frais', amounts.filter(({ role }) => role === 'frais').slice(0, 1));
  for (const { end } of find(typed)) {
    const next = Math.min(folded.length, ...marks.flatMap(({ start }) => (start >= end ? [start] : [])));
    const sentence =
      /^[^\n]*?(?=\.(?:\s|$)|\n|$|(?:^| )[a-z]+ ?: ?$)/.exec(folded.slice(end, next))?.[0].trimEnd() ?? '';
    if (marks.every(({ start }) => start !== end) && !/^[.\s]*$/.test(sentence))
      mark('motif', [{ start: end, end: end + sentence.length }]);
  }
  mark('autre', [...amounts, ...phones, ...findReferences(folded)]);
  mark('autre', find(new RegExp(`(?<![a-z0-9])(?:${shapes.autre})`, 'g')));
  return cut(plain, marks);
}

function cut(plain: string, marks: readonly Mark[]): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let at = 0;
  for (const { start, end, placeholder } of marks.toSorted((a, b) => a.start - b.start)) {
    if (start > at) parts.push({ text: plain.slice(at, start) });
    parts.push({ text: plain.slice(start, end), placeholder });
    at = end;
  }
  if (at < plain.length) parts.push({ text: plain.slice(at) });
  return parts;
}

export const templateOf = (parts: readonly TemplatePart[]): string =>
  parts.map(({ text, placeholder }) => (placeholder ? `{${placeholder}}` : text)).join('');
